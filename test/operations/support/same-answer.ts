import { expect } from '@jest/globals';
import { DispatchError } from 'nestjs-palette';
import { listen } from '../../support/application.js';
import type { Dispatching } from '../../support/dispatching.js';
import { sendRequest, type WireAnswer } from '../../support/http-client.js';

/** A tool call, and the request that it stands for. */
export interface AnswerRow {
  readonly what: string;
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** `POST /notes?draft=true` */
  readonly http: string;
  readonly body?: unknown;
  /** Headers of the caller, the same both ways. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** What the answer holds, or the refusal's body. */
  readonly answer?: unknown;
}

export interface BothWays {
  readonly booted: Dispatching;
  /** Sends the request of a row to the application's port. */
  overHttp(row: AnswerRow): Promise<WireAnswer>;
}

/** Lets an application listen, so that a request and a tool call can be compared. */
export async function openBothWays(booted: Dispatching): Promise<BothWays> {
  const { hostname, port } = new URL(await listen(booted.app));
  const overHttp = ({ http, body, headers }: AnswerRow): Promise<WireAnswer> => {
    const [method = '', path = ''] = http.split(' ');
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const framing = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    const all = { host: 'localhost', accept: 'application/json', ...headers, ...framing };
    return sendRequest({ hostname, port, agent: false }, { method, path, headers: all, body: bytes });
  };
  return { booted, overHttp };
}

/** Expects that the call ends as the request does: the same content, or a refusal that says what the request's says. */
export async function expectSameAnswer({ booted, overHttp }: BothWays, row: AnswerRow): Promise<void> {
  const answer = await overHttp(row);
  const told = contentOf(answer);
  expect({ status: answer.status, told }).toMatchObject({
    status: row.status,
    ...(row.answer !== undefined && { told: row.answer }),
  });
  const call = booted.call(row.tool, row.args ?? {}, { headers: row.headers ?? {} });
  if (row.status === 401 || row.status >= 500) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    if (!DispatchError.isInstance(error)) throw new Error(`${row.tool} did not throw`);
    expect(error.upstreamStatus).toBe(row.status);
    return;
  }
  const result = await call;
  expect({ tool: row.tool, ...result }).toEqual({ ...result, tool: row.tool, isError: row.status >= 400 });
  if (row.status < 400) expect(result.content).toEqual(told);
  else expect(saidBy(result.content)).toEqual(saidBy(told));
}

function contentOf({ body, headers }: WireAnswer): unknown {
  if (body.length === 0) return {};
  const mediaType = (headers['content-type'] ?? '').split(';')[0] ?? '';
  if (mediaType.endsWith('json')) return JSON.parse(body.toString());
  return mediaType.startsWith('text/') ? body.toString() : { resource: { mediaType, bytes: body.length } };
}

/** The words of a refusal: a list of messages is told as details. */
function saidBy(refusal: unknown): unknown {
  const { message, details } = refusal as { readonly message?: unknown; readonly details?: unknown };
  return details ?? message;
}
