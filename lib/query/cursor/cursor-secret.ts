import type { InjectionToken } from '@nestjs/common';

/** Where the secret of cursors comes from: a text, a function of the application's configuration, or a provider of one. */
export type CursorSecret = string | (() => string) | { readonly inject: InjectionToken<string> };

export const MIN_SECRET_LENGTH = 32;

/** What is wrong with a secret, to be put after its name; undefined where nothing is. It is never repeated. */
export function secretFault(secret: unknown): string | undefined {
  if (typeof secret !== 'string') return 'is not a text';
  return secret.length < MIN_SECRET_LENGTH ? `has less than ${MIN_SECRET_LENGTH} characters` : undefined;
}

/** The text of a secret that needs no provider. */
export function secretText(secret: string | (() => string)): string {
  return typeof secret === 'function' ? secret() : secret;
}

export function isInjected(secret: CursorSecret | undefined): secret is { readonly inject: InjectionToken<string> } {
  return typeof secret === 'object';
}
