/** Who can do something about a refusal. */
export type ErrorActor = 'developer' | 'operator' | 'host' | 'model';

export interface ErrorCodeEntry {
  /** Message template; `{name}` is filled from the parameters of the error. Never an operand, a body or a secret. */
  readonly message: string;
  /** HTTP status where the error leaves through HTTP. */
  readonly status: number;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  readonly actor: ErrorActor;
}

export const boot = (message: string, actor: ErrorActor = 'developer') =>
  ({ message, status: 500, retryable: false, actor }) as const;
export const refused = (message: string, status = 400) =>
  ({ message, status, retryable: false, actor: 'model' }) as const;
export const failed = (message: string, status: number, actor: ErrorActor, retryable = false) =>
  ({ message, status, retryable, actor }) as const;
