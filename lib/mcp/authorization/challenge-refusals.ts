import type { ServerResponse } from 'node:http';
import { lackingScopes, type Challenge } from './challenge.js';

const HEADER = 'www-authenticate';

type Method = (...parameters: unknown[]) => unknown;

/**
 * Adds a challenge to a response that turns its caller away, and has none of its own: to every 401, and to a 403 whose body
 * says that scopes are lacking. What a body says is known when it is written, which on Fastify is after its head: such a head
 * waits for it. Nothing else of the answer is touched, so it keeps the words that the application's filters gave it.
 */
export function challengeRefusals(response: ServerResponse, headerOf: (challenge: Challenge) => string): void {
  const writeHead = response.writeHead.bind(response) as Method;
  let waiting: unknown[] | undefined;
  let isReleased = false;

  const release = (body?: unknown): void => {
    if (isReleased) return;
    isReleased = true;
    const [status = response.statusCode, ...rest] = waiting ?? [];
    const challenge = isTold(response, rest) ? undefined : challengeOf(status, body);
    if (challenge !== undefined) response.setHeader(HEADER, headerOf(challenge));
    if (waiting !== undefined) writeHead(...waiting);
  };

  response.writeHead = ((...parameters: unknown[]) => {
    if (isReleased) return writeHead(...parameters);
    waiting = parameters;
    if (parameters[0] !== 403) release();
    return response;
  }) as ServerResponse['writeHead'];
  const releasing = (method: Method, bodyOf: (parameters: readonly unknown[]) => unknown): Method => {
    const original = method.bind(response);
    return (...parameters) => {
      release(bodyOf(parameters));
      return original(...parameters);
    };
  };
  const whole = ([first]: readonly unknown[]): unknown => first;
  const none = (): undefined => undefined;
  response.end = releasing(response.end as Method, whole) as ServerResponse['end'];
  response.write = releasing(response.write as Method, none) as ServerResponse['write'];
  response.flushHeaders = releasing(response.flushHeaders as Method, none) as ServerResponse['flushHeaders'];
}

function challengeOf(status: unknown, body: unknown): Challenge | undefined {
  if (status === 401) return { status };
  const scopes = status === 403 ? lackingScopes(jsonOf(body)) : undefined;
  return scopes && { status: 403, scopes };
}

function jsonOf(body: unknown): unknown {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined;
  try {
    return JSON.parse(Buffer.from(body as string).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether the answer has a challenge of its own. @param rest the parameters of `writeHead` behind the status */
function isTold(response: ServerResponse, rest: readonly unknown[]): boolean {
  const headers = rest.find((each) => typeof each === 'object' && each !== null) ?? {};
  return response.hasHeader(HEADER) || Object.keys(headers).some((name) => name.toLowerCase() === HEADER);
}
