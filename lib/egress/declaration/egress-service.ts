import type { EgressOperation } from './egress-operation.js';

/** A declared outbound HTTP API: its name, which the configuration is looked up by, and its operations. */
export interface EgressService<
  Name extends string = string,
  Operations extends readonly EgressOperation[] = readonly EgressOperation[],
> {
  readonly name: Name;
  readonly operations: Operations;
  /** Injection token of this declaration's client. Two declarations never share one, whatever their names are. */
  readonly token: symbol;
}

/** Any operation of a service, as a union. */
export type EgressOperationOf<Service extends EgressService> = Service['operations'][number];

/**
 * Declares an outbound HTTP API. Where it is and what it may carry is configured in `EgressHttpModule.forRoot`.
 *
 * @example
 * export const modelService = egressService({ name: 'model', operations: [messages] });
 */
export function egressService<
  const Name extends string,
  const Operations extends readonly EgressOperation[],
>(declaration: {
  /** The key of this service in `EgressHttpModule.forRoot({ services })`. */
  readonly name: Name;
  readonly operations: Operations;
}): EgressService<Name, Operations> {
  return Object.freeze({
    name: declaration.name,
    operations: Object.freeze([...declaration.operations]) as unknown as Operations,
    token: Symbol(`nestjs-palette:egress:${declaration.name}`),
  });
}
