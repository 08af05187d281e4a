import { Logger } from '@nestjs/common';
import type { AuditOptions, AuditRecord, AuditSink } from './audit-record.js';

/** One call while it runs. */
export interface RunningCall {
  readonly surface: AuditRecord['surface'];
  operation?: string;
  palette?: string;
  toolCallId?: string;
  /** The application's request, once a guard has seen it: the principal is read from it at the end. */
  request?: object;
  bytes: number;
}

/** Writes one record a call. */
export class OperationAudit {
  readonly #logger = new Logger('OperationAudit');
  readonly #sink: AuditSink;

  constructor(private readonly options: AuditOptions) {
    this.#sink = options.sink ?? { record: (record) => this.#logger.debug(JSON.stringify(record)) };
  }

  get recordsHttp(): boolean {
    return this.options.http ?? false;
  }

  /** Begins a call; the function it yields ends it with `ok` or a code. */
  begin(call: RunningCall): (outcome: string) => void {
    const start = performance.now();
    return (outcome) => this.#write(call, outcome, performance.now() - start);
  }

  #write(call: RunningCall, outcome: string, durationMs: number): void {
    try {
      const written = this.#sink.record({
        surface: call.surface,
        operation: call.operation,
        palette: call.palette,
        toolCallId: call.toolCallId,
        principal: call.request && this.options.principal?.(call.request),
        outcome,
        durationMs: Math.round(durationMs * 1_000) / 1_000,
        bytes: call.bytes,
      });
      // A rejection that nobody takes would end the process.
      if (isPromiseLike(written)) void Promise.resolve(written).catch((error: unknown) => this.#lost(call, error));
    } catch (error) {
      this.#lost(call, error);
    }
  }

  #lost({ operation }: RunningCall, error: unknown): void {
    this.#logger.error(`A call of ${operation} was not recorded: the audit sink threw ${nameOf(error)}.`);
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
