import { STATUS_CODES, type Server } from 'node:http';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DispatchError, type DispatchOptions } from 'nestjs-palette';
import { closeApplications, listen, PLATFORMS, type Platform } from '../../../support/application.js';
import { bootDispatching, type Dispatching } from '../../../support/dispatching.js';
import { sendRequest, type WireAnswer, type WireRequest } from '../../../support/http-client.js';
import { sendOverReferenceConnection } from '../../../support/reference-connection.js';

/** What a model sees of an answer. */
export type ModelView =
  | { readonly content: unknown }
  | { readonly refused: { readonly code: string; readonly message: string; readonly details?: unknown } }
  /** Thrown to whoever runs the agent: the model sees nothing. */
  | { readonly thrown: string; readonly upstreamStatus?: number };

/** Where a tool call is meant to end otherwise than the request it stands for. */
export interface Difference {
  readonly because: string;
  readonly view: ModelView;
  /** How often the handler runs in the tool call. Default: as often as over HTTP. */
  readonly runs?: number;
}

export interface FidelityRow {
  readonly what: string;
  /** The tool that is called. */
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The request that the call stands for: `POST /notes?draft=true`. */
  readonly http: string;
  /** Its JSON body. */
  readonly body?: unknown;
  /** Headers of the caller, the same both ways. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that only the plain request has: a version that its client asks for, say. */
  readonly httpHeaders?: Readonly<Record<string, string>>;
  /** The status over HTTP. */
  readonly status: number;
  /** The coding of the answer over HTTP. Default: none. */
  readonly encoding?: 'gzip' | 'br' | 'deflate';
  /** What a model would see of the answer over HTTP. */
  readonly view: ModelView;
  /** How often the handler runs. Default: once for a status below 400, else never. */
  readonly runs?: number;
  /** The places that it came past, in order; where it is not stated, they are only compared. */
  readonly steps?: readonly string[];
  readonly differs?: Difference;
  /** The row is of one platform only. */
  readonly on?: Platform;
}

export interface FidelityTable {
  readonly application: (platform: Platform) => ModuleMetadata;
  readonly configure?: (app: INestApplication, platform: Platform) => void;
  readonly dispatch?: DispatchOptions;
  /** Runs before each way of each row: empties what requests leave behind. */
  readonly reset?: () => void;
  readonly rows: readonly FidelityRow[];
}

const steps: string[] = [];

/** Notes that a request came past a place of the application; `handler` is a run of a handler. */
export function mark(step: string): void {
  steps.push(step);
}

/** Notes a run of a handler, which answers with the value. */
export function handled<T>(answer: T): T {
  mark('handler');
  return answer;
}

export function content(value: unknown): ModelView {
  return { content: value };
}

export function refused(code: string, message: string, details?: unknown): ModelView {
  return { refused: { code, message, ...(details === undefined ? {} : { details }) } };
}

export function thrown(code: string, upstreamStatus?: number): ModelView {
  return { thrown: code, ...(upstreamStatus === undefined ? {} : { upstreamStatus }) };
}

/** 401: a model cannot sign its user in. */
export const HOST_HAS_TO_SIGN_IN: Difference = {
  because: 'the host has to renew the credential: what a model can do about it is nothing',
  view: thrown('operation_unauthenticated', 401),
};

/** 5xx, and what is not an `HttpException`. */
export function hostHasToRepair(status = 500): Difference {
  return {
    because: 'a fault of the application is for whoever runs it, and nothing of it reaches a model',
    view: thrown('operation_failed', status),
  };
}

/** Runs each row over HTTP, over a reference connection and as a tool call, on both platforms, and compares. */
export function fidelityTable(theme: string, table: FidelityTable): void {
  describe.each(PLATFORMS)(`${theme} on %s`, (platform) => {
    const rows = table.rows.filter(({ on }) => on === undefined || on === platform);
    let ways: Ways;

    beforeAll(async () => {
      ways = await openWays(table, platform);
    });
    afterAll(closeApplications);

    it.each(rows)('$what', async (row) => {
      const runs = row.runs ?? (row.status < 400 ? 1 : 0);
      const http = await observe(table, async () => ways.overHttp(wireRequest(row)));
      expect(http).toMatchObject({ status: row.status, view: row.view, runs, encoding: row.encoding ?? 'none' });
      expect(http.view).toEqual(row.view);
      if (row.steps !== undefined) expect(http.steps).toEqual(row.steps);
      expect(await observe(table, async () => ways.overReference(wireRequest(row)))).toEqual(http);

      const call = await observeCall(table, () => ways.call(row.tool, row.args, { headers: row.headers ?? {} }));
      const { differs } = row;
      if (differs === undefined) expect(call).toEqual({ view: http.view, runs: http.runs, steps: http.steps });
      else expect(call).toMatchObject({ view: differs.view, runs: differs.runs ?? runs });
    });

    it('has an answer that is no refusal beside each refusal of a tool', () => {
      const answered = new Set(rows.filter(({ status }) => status < 400).map(({ tool }) => tool));
      expect(rows.filter(({ tool }) => !answered.has(tool))).toEqual([]);
    });
  });
}

interface Ways {
  readonly call: Dispatching['call'];
  overHttp(request: WireRequest): Promise<WireAnswer>;
  overReference(request: WireRequest): Promise<WireAnswer>;
}

async function openWays(table: FidelityTable, platform: Platform): Promise<Ways> {
  const { app, call } = await bootDispatching(platform, table.application(platform), {
    configure: (configured) => table.configure?.(configured, platform),
    ...(table.dispatch === undefined ? {} : { dispatch: table.dispatch }),
  });
  const { hostname, port } = new URL(await listen(app));
  return {
    call,
    overHttp: (request) => sendRequest({ hostname, port, agent: false }, request),
    overReference: (request) => sendOverReferenceConnection(app.getHttpServer() as Server, request),
  };
}

function wireRequest(row: FidelityRow): WireRequest {
  const [method = '', path = ''] = row.http.split(' ');
  const body = row.body === undefined ? undefined : Buffer.from(JSON.stringify(row.body));
  const framing = body && { 'content-type': 'application/json', 'content-length': String(body.length) };
  return {
    method,
    path,
    headers: { host: 'localhost', accept: 'application/json', ...row.headers, ...row.httpHeaders, ...framing },
    body,
  };
}

interface Observed {
  readonly view: ModelView;
  readonly runs: number;
  readonly steps: readonly string[];
}

interface ObservedAnswer extends Observed {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly encoding: string;
}

async function observe(table: FidelityTable, send: () => Promise<WireAnswer>): Promise<ObservedAnswer> {
  const { outcome, ...observed } = await watch(table, send);
  return {
    ...observed,
    view: viewOfAnswer(outcome),
    status: outcome.status,
    mediaType: outcome.headers['content-type'],
    encoding: outcome.headers['content-encoding'] ?? 'none',
  };
}

async function observeCall(table: FidelityTable, call: () => ReturnType<Dispatching['call']>): Promise<Observed> {
  const { outcome, ...observed } = await watch(table, () => viewOfCall(call));
  return { ...observed, view: outcome };
}

async function watch<T>(table: FidelityTable, act: () => Promise<T>): Promise<Omit<Observed, 'view'> & { outcome: T }> {
  table.reset?.();
  steps.length = 0;
  const outcome = await act();
  // What happens after the answer (an interceptor's last step, a listener of `finish`) is part of the way, too.
  await new Promise((resolve) => setImmediate(resolve));
  const taken = steps.splice(0);
  return { outcome, steps: taken, runs: taken.filter((step) => step === 'handler').length };
}

/** Written apart from the dispatcher's own reading of an answer, which it is compared with. */
function viewOfAnswer({ status, headers, body: encoded }: WireAnswer): ModelView {
  const body = decode(encoded, headers['content-encoding']);
  const mediaType = (headers['content-type'] ?? '').split(';')[0] ?? '';
  const isJson = mediaType.endsWith('json');
  if (status < 400) {
    if (body.length === 0) return content({});
    if (isJson) return content(JSON.parse(body.toString()));
    return mediaType === '' || mediaType.startsWith('text/')
      ? content(body.toString())
      : content({ resource: { mediaType, bytes: body.length } });
  }
  const told = (isJson ? JSON.parse(body.toString()) : {}) as Record<string, unknown>;
  const reason = STATUS_CODES[status] ?? '';
  return refused(
    typeof told['code'] === 'string' ? told['code'] : reason.toLowerCase().replaceAll(/[^a-z]+/g, '_'),
    [told['message'], told['detail'], mediaType === 'text/plain' ? body.toString() : undefined].find(
      (words) => typeof words === 'string',
    ) ?? reason,
    told['details'] ?? told['errors'] ?? (Array.isArray(told['message']) ? told['message'] : undefined),
  );
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === undefined ? body : unzipSync(body);
}

async function viewOfCall(call: () => ReturnType<Dispatching['call']>): Promise<ModelView> {
  try {
    const result = await call();
    return result.isError ? ({ refused: result.content } as ModelView) : content(result.content);
  } catch (error) {
    if (!DispatchError.isInstance(error)) throw error;
    return thrown(error.code, error.upstreamStatus);
  }
}
