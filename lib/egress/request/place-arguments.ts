import { isPlainObject, ownValue, setOwn } from '../../common/index.js';
import { EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressOperation } from '../declaration/egress-operation.js';
import { dtoProperties, isDtoClass } from '../declaration/dto-properties.js';
import { parsePathTemplate } from '../declaration/path-template.js';
import type { EgressBase } from './egress-base.js';
import { isHeaderValue } from './header-names.js';
import type { DraftRequest } from './outbound-request.js';
import { encodePathParameter } from './path-parameter.js';

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded;charset=UTF-8' } as const;
/** An upstream that streams on request of the header gets to; `invoke` and `stream` send the same. */
const ACCEPT = 'application/json, text/event-stream;q=0.9, */*;q=0.1';

/** Puts checked arguments where the operation declares them: path, query, headers, and the rest into the body. */
export class RequestPlacement {
  readonly #template: ReturnType<typeof parsePathTemplate>;
  readonly #placed: ReadonlySet<string>;
  readonly #hasBody: boolean;

  constructor(
    private readonly operation: EgressOperation,
    private readonly call: EgressCallName,
  ) {
    this.#template = parsePathTemplate(operation.path);
    this.#placed = new Set([...this.#template.arguments, ...operation.query, ...Object.values(operation.headers)]);
    this.#hasBody = declaresBody(operation, this.#placed);
  }

  /**
   * @param wire the arguments as they go on the wire: validated, with names and values as JSON has them.
   * @throws EgressError `egress_path_parameter_invalid`, `egress_arguments_invalid`.
   */
  place(base: EgressBase, constantHeaders: Readonly<Record<string, string>>, wire: unknown): DraftRequest {
    const args = this.#jsonOf(wire);
    const headers = new Headers({ accept: ACCEPT });
    for (const [header, value] of Object.entries(constantHeaders)) headers.set(header, value);
    for (const [header, name] of Object.entries(this.operation.headers)) this.#setHeader(headers, header, name, args);
    const body = this.#body(args, headers);
    return {
      call: this.call,
      operation: this.operation,
      method: this.operation.method,
      address: base.origin + base.path + this.#path(args) + this.#query(args),
      headers,
      body,
      wireArguments: args,
      isRepeatable: this.operation.isIdempotent,
      redirect: 'service',
    };
  }

  #jsonOf(wire: unknown): unknown {
    try {
      const args: unknown = JSON.parse(JSON.stringify(wire) ?? 'null');
      if (isPlainObject(args) || this.#placed.size === 0) return args;
    } catch {
      // A cycle or a bigint: no JSON.
    }
    throw this.#refused('', 'json');
  }

  #path(args: unknown): string {
    return this.#template.parts
      .map((part) => (typeof part === 'string' ? part : this.#parameter(part.argument, args)))
      .join('');
  }

  #parameter(name: string, args: unknown): string {
    const encoded = encodePathParameter(argument(args, name));
    if ('text' in encoded) return encoded.text;
    const details = { faults: [{ property: name, constraints: [encoded.problem] }] };
    throw new EgressError('egress_path_parameter_invalid', this.call, { details });
  }

  #query(args: unknown): string {
    const pairs = this.operation.query.flatMap((name) => this.#pairs(name, argument(args, name)));
    return pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
  }

  /** A list repeats its name; null and undefined are left out; an object has no agreed spelling. */
  #pairs(name: string, value: unknown): [string, string][] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.flatMap((item) => this.#pairs(name, item));
    if (typeof value === 'object') throw this.#refused(name, 'isText');
    const text = String(value);
    if (/\p{Surrogate}/u.test(text)) throw this.#refused(name, 'isWellFormed');
    return [[name, text]];
  }

  #setHeader(headers: Headers, header: string, name: string, args: unknown): void {
    const value = argument(args, name);
    if (value === undefined || value === null) return;
    if (typeof value === 'object' || !isHeaderValue(String(value))) throw this.#refused(name, 'isHeaderValue');
    headers.set(header, String(value));
  }

  #body(args: unknown, headers: Headers): string | undefined {
    const rest = isPlainObject(args) ? without(args, this.#placed) : args;
    const isEmpty = isPlainObject(rest) && Object.keys(rest).length === 0;
    if (isEmpty && !this.#hasBody) return undefined;
    if (this.operation.method === 'GET' || this.operation.method === 'HEAD') {
      throw this.#refused(isPlainObject(rest) ? (Object.keys(rest)[0] ?? '') : '', 'hasPlace');
    }
    headers.set('content-type', CONTENT_TYPES[this.operation.encoding]);
    return this.operation.encoding === 'json' ? JSON.stringify(rest) : this.#form(rest);
  }

  #form(rest: unknown): string {
    if (!isPlainObject(rest)) throw this.#refused('', 'isObject');
    const pairs = Object.entries(rest).flatMap(([name, value]) => this.#pairs(name, value));
    return new URLSearchParams(pairs).toString();
  }

  #refused(property: string, constraint: string): EgressError {
    const details = { faults: [{ property, constraints: [constraint] }] };
    return new EgressError('egress_arguments_invalid', this.call, { details });
  }
}

function argument(args: unknown, name: string): unknown {
  return isPlainObject(args) ? ownValue(args, name) : undefined;
}

function without(args: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) if (!names.has(name)) setOwn(rest, name, value);
  return rest;
}

/** Whether a request without any argument left for the body still has one: `{}`, where the DTO declares body properties. */
function declaresBody(operation: EgressOperation, placed: ReadonlySet<string>): boolean {
  if (!['POST', 'PUT', 'PATCH'].includes(operation.method) || !isDtoClass(operation.args)) return false;
  return dtoProperties(operation.args).some((property) => !placed.has(property));
}
