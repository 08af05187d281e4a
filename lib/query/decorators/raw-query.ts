import { rawRequestOf } from '../../common/index.js';
import { QueryError, type QueryIssueCode } from '../query-error.js';

/** The parameter that holds a query in a URL, as JSON: a query string has no nesting of its own. */
export const QUERY_PARAMETER = 'query';

export interface RawQueryOptions {
  readonly source: 'body' | 'query';
  readonly code: QueryIssueCode;
  /** Keys of the query itself, which stand for nothing beside it. */
  readonly keys: readonly string[];
}

/**
 * The JSON value that a request carries as its query, before any pipe could drop a key of it. A request that carries none
 * asks for nothing in particular; one that carries something in another place is refused, not taken for none.
 * @throws QueryError where the query is in the wrong place, given twice, or no JSON
 */
export function rawQueryOf(request: unknown, options: RawQueryOptions): unknown {
  if (typeof request !== 'object' || request === null) return undefined;
  const parameters = parametersOf(request);
  if (options.source === 'query') return queryOfParameters(request, parameters, options);
  const body: unknown = Reflect.get(request, 'body');
  if (body !== undefined || hasContent(request)) return body;
  return parameters.has(QUERY_PARAMETER) ? refuse(options, 'the JSON object as the body') : {};
}

function queryOfParameters(request: object, parameters: URLSearchParams, options: RawQueryOptions): unknown {
  const [text, ...others] = parameters.getAll(QUERY_PARAMETER);
  const isMisplaced = hasContent(request) || [...parameters.keys()].some((name) => isPartOfQuery(name, options));
  if (isMisplaced || others.length > 0) return refuse(options, IN_URL);
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return refuse(options, IN_URL);
  }
}

/** `size=2`, `query[size]=2`, `filters.title=x`: a caller who writes so has something to ask. */
function isPartOfQuery(name: string, { keys }: RawQueryOptions): boolean {
  const [first = ''] = name.split(/[[.]/, 1);
  return name !== QUERY_PARAMETER && (first === QUERY_PARAMETER || keys.includes(first));
}

const IN_URL = `the JSON object in the one parameter ${QUERY_PARAMETER} of the URL`;

/** Read from the URL itself: what an application has for a parser of query strings is its own choice. */
function parametersOf(request: object): URLSearchParams {
  const url: unknown = Reflect.get(rawRequestOf(request) ?? request, 'url');
  const start = typeof url === 'string' ? url.indexOf('?') : -1;
  return new URLSearchParams(start < 0 ? '' : (url as string).slice(start + 1));
}

function refuse({ code, keys }: RawQueryOptions, where: string): never {
  throw new QueryError([Object.freeze({ code, pointer: '', allowed: Object.freeze([where, ...keys]) })]);
}

function hasContent(request: object): boolean {
  const headers: unknown = Reflect.get(rawRequestOf(request) ?? request, 'headers');
  if (typeof headers !== 'object' || headers === null) return false;
  const length: unknown = Reflect.get(headers, 'content-length');
  const hasLength = length !== undefined && length !== '0';
  return hasLength || Reflect.get(headers, 'transfer-encoding') !== undefined;
}
