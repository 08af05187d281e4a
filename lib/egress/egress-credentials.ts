import { EgressError, type EgressCallName } from './egress-error.js';
import { isHeaderValue } from './request/header-names.js';

/**
 * Yields a secret when it is needed, so that it can be rotated and is never part of the configuration. It is asked for each
 * request, and once more with `refresh` where the upstream refused (401) what it yielded: a provider that keeps a token
 * gets a new one then. Requests that were refused with one secret share one such question.
 */
export type SecretProvider = (request: { readonly refresh: boolean }) => string | Promise<string>;

/** How a service authenticates itself to its upstream. Made by `bearer` and `headerCredential`; prints nothing. */
export class EgressCredentials {
  readonly #prefix: string;
  readonly #secret: SecretProvider;
  #renewal: { readonly refused: string; readonly renewed: Promise<ResolvedCredential | undefined> } | undefined;

  constructor(
    /** The header that carries the credential. */
    readonly headerName: string,
    prefix: string,
    secret: SecretProvider,
  ) {
    this.#prefix = prefix;
    this.#secret = secret;
  }

  /** Whether a secret can be asked for at all; a string in place of a function would be part of the configuration. */
  get hasProvider(): boolean {
    return typeof this.#secret === 'function';
  }

  /**
   * Asks for the secret of one request.
   *
   * @throws EgressError `egress_credentials_invalid`, without the secret and without the provider's own words.
   */
  async resolve(call: EgressCallName): Promise<ResolvedCredential> {
    return this.#credential(call, false);
  }

  /** Another secret than the one that was refused; undefined where there is none, and the refusal stands. */
  async renew(call: EgressCallName, refused: ResolvedCredential): Promise<ResolvedCredential | undefined> {
    const { secret } = refused;
    if (this.#renewal?.refused !== secret) this.#renewal = { refused: secret, renewed: this.#renewed(call, secret) };
    const { renewed } = this.#renewal;
    const credential = await renewed;
    if (credential === undefined && this.#renewal?.renewed === renewed) this.#renewal = undefined;
    return credential;
  }

  async #renewed(call: EgressCallName, refused: string): Promise<ResolvedCredential | undefined> {
    const credential = await this.#credential(call, true).catch(() => undefined);
    return credential?.secret === refused ? undefined : credential;
  }

  async #credential(call: EgressCallName, refresh: boolean): Promise<ResolvedCredential> {
    const secret = await this.#provided(call, refresh);
    if (typeof secret !== 'string' || !isHeaderValue(secret)) throw unusable(call, secret);
    return { headerName: this.headerName, headerValue: this.#prefix + secret, secret };
  }

  async #provided(call: EgressCallName, refresh: boolean): Promise<unknown> {
    try {
      return await this.#secret({ refresh });
    } catch {
      const parameters = { what: 'could not be provided: its provider failed' };
      throw new EgressError('egress_credentials_invalid', call, { parameters, retryable: true });
    }
  }
}

/** A secret on its way into one request. */
export interface ResolvedCredential {
  readonly headerName: string;
  readonly headerValue: string;
  readonly secret: string;
}

/**
 * `Authorization: Bearer <secret>`.
 *
 * @example credentials: bearer(() => vault.read('model-key'))
 * @see https://www.rfc-editor.org/rfc/rfc6750
 */
export function bearer(secret: SecretProvider): EgressCredentials {
  return new EgressCredentials('authorization', 'Bearer ', secret);
}

/**
 * A secret in a header of its own.
 *
 * @example credentials: headerCredential('x-api-key', () => process.env.MODEL_KEY ?? '')
 */
export function headerCredential(headerName: string, secret: SecretProvider): EgressCredentials {
  return new EgressCredentials(headerName.toLowerCase(), '', secret);
}

function unusable(call: EgressCallName, secret: unknown): EgressError {
  const what =
    typeof secret !== 'string' || secret === ''
      ? 'is empty'
      : 'has a line break, a character outside ASCII or a space around it; trim it';
  return new EgressError('egress_credentials_invalid', call, { parameters: { what } });
}
