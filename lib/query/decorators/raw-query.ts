import { rawRequestOf } from '../../common/index.js';

/**
 * The JSON value that a request carries as its query, before any pipe could drop a key of it. A request without content
 * asks for nothing in particular; content that no parser took is not "no content".
 */
export function rawQueryOf(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return undefined;
  const body: unknown = Reflect.get(request, 'body');
  return body === undefined && !hasContent(request) ? {} : body;
}

function hasContent(request: object): boolean {
  const headers: unknown = Reflect.get(rawRequestOf(request) ?? request, 'headers');
  if (typeof headers !== 'object' || headers === null) return false;
  const length: unknown = Reflect.get(headers, 'content-length');
  const hasLength = length !== undefined && length !== '0';
  return hasLength || Reflect.get(headers, 'transfer-encoding') !== undefined;
}
