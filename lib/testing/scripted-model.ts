import { AssertionError } from 'node:assert';
import { ModelError, type Model, type ModelReply, type ModelRequest } from '../agent/model/index.js';
import type { ModelStreamEvent } from '../agent/model/index.js';
import { transcriptFaults } from '../agent/transcript/index.js';
import { systemClock, type Clock } from '../common/index.js';
import { EgressError } from '../egress/index.js';
import {
  deltasOf,
  scriptedReply,
  type ScriptedAnswer,
  type ScriptedFailure,
  type ScriptedReply,
  type ScriptedResponder,
  type ScriptedStep,
} from './scripted-reply.js';

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly name?: string;
  /** Default `scripted`. */
  readonly provider?: string;
  /** Refuses a request whose transcript a real provider would refuse. Default true. */
  readonly checkTranscripts?: boolean;
  /** The clock of `delayMs` and of deadlines; a test's own makes time pass when it says so. Default: the system's. */
  readonly clock?: Clock;
}

const CALL = { service: 'scripted', operation: 'model' };

/**
 * A model that says what a test tells it to, one step a request, and keeps the requests. Like a real one it fails with
 * `egress_cancelled` when the request's signal aborts and with `deadline_exceeded` when its deadline passes, and refuses
 * a transcript that no provider takes.
 *
 * @example
 * const model = new ScriptedModel([{ toolCalls: [{ name: 'notes_list' }] }, 'There are two notes.']);
 * // ... run the agent ...
 * model.assertComplete();
 */
export class ScriptedModel implements Model {
  readonly name: string;
  readonly provider: string;
  /** The requests so far, as they were when they came: later changes of their messages do not show. */
  readonly requests: ModelRequest[] = [];
  readonly #steps: ScriptedStep[];
  readonly #endless: ScriptedResponder | undefined;
  readonly #faults: AssertionError[] = [];
  readonly #clock: Clock;
  readonly #checksTranscripts: boolean;

  /** @param script the steps, one a request; a function answers every request. */
  constructor(script: readonly ScriptedStep[] | ScriptedResponder, options: ScriptedModelOptions = {}) {
    this.name = options.name ?? 'scripted';
    this.provider = options.provider ?? 'scripted';
    this.#steps = typeof script === 'function' ? [] : [...script];
    this.#endless = typeof script === 'function' ? script : undefined;
    this.#clock = options.clock ?? systemClock;
    this.#checksTranscripts = options.checkTranscripts ?? true;
  }

  /** Adds steps to the end of the script. */
  push(...steps: readonly ScriptedStep[]): void {
    this.#steps.push(...steps);
  }

  async complete(request: ModelRequest): Promise<ModelReply> {
    const { count, answer } = await this.#answerTo(request);
    await this.#wait(answer.delayMs, request);
    if ('throws' in answer) throw answer.throws;
    if (answer.cutAfter !== undefined) throw this.#interrupted(answer.cutAfter);
    return scriptedReply(answer, this.name, count);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent, void, undefined> {
    const { count, answer } = await this.#answerTo(request);
    if ('throws' in answer) {
      await this.#wait(answer.delayMs, request);
      throw answer.throws;
    }
    yield* this.#streamed(answer, request);
    yield { type: 'reply', reply: scriptedReply(answer, this.name, count) };
  }

  /** @throws AssertionError where steps are left, and for the first request that had no step or a transcript at fault */
  assertComplete(): void {
    const [fault] = this.#faults;
    if (fault !== undefined) throw fault;
    const left = this.#steps.length;
    if (left > 0) throw this.#failure(`${left} step(s) of the script were not asked for`);
  }

  async *#streamed(script: ScriptedReply, request: ModelRequest): AsyncGenerator<ModelStreamEvent, void, undefined> {
    const { reasoning, cutAfter = Infinity, delayMs } = script;
    const thought = reasoning === undefined ? [] : [{ type: 'reasoning_delta' as const, text: reasoning }];
    const said = deltasOf(script).map((text) => ({ type: 'text_delta' as const, text }));
    for (const [index, delta] of [...thought, ...said].entries()) {
      if (index >= cutAfter) break;
      await this.#wait(delayMs, request);
      yield delta;
    }
    await this.#wait(delayMs, request);
    if (cutAfter !== Infinity) throw this.#interrupted(cutAfter);
  }

  async #answerTo(request: ModelRequest): Promise<{ count: number; answer: ScriptedReply | ScriptedFailure }> {
    this.requests.push(recorded(request));
    const count = this.requests.length;
    await this.#wait(undefined, request);
    const faults = this.#checksTranscripts ? transcriptFaults(request.messages, 'chat') : [];
    if (faults.length > 0)
      throw this.#fault(`request ${count} has a transcript that providers refuse: ${faults.join('; ')}`);
    const step = this.#steps.shift() ?? this.#endless;
    if (step === undefined) throw this.#fault(`request ${count} came and the script is over`);
    const answer: ScriptedAnswer = typeof step === 'function' ? await step(request, count) : step;
    return { count, answer: typeof answer === 'string' ? { text: answer } : answer };
  }

  async #wait(ms: number | undefined, request: ModelRequest): Promise<void> {
    const { signal, deadline = Infinity } = request;
    const leftMs = deadline - this.#clock.now();
    if (signal?.aborted === true) throw cancelled();
    if (leftMs <= 0) throw late();
    if (ms === undefined) return;
    await this.#sleep(Math.min(ms, leftMs), signal);
    if (ms > leftMs) throw late();
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const takeBack = this.#clock.after(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = (): void => {
        takeBack();
        reject(cancelled());
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #interrupted(deltas: number): ModelError {
    return new ModelError('model_interrupted', this, {
      parameters: { what: `cut after ${deltas} deltas by its script` },
    });
  }

  /** Kept as well: a loop may turn what a model throws into an event that a test does not look at. */
  #fault(what: string): AssertionError {
    const fault = this.#failure(what);
    this.#faults.push(fault);
    return fault;
  }

  #failure(what: string): AssertionError {
    return new AssertionError({ message: `ScriptedModel "${this.name}": ${what}.` });
  }
}

function cancelled(): EgressError {
  return new EgressError('egress_cancelled', CALL);
}

function late(): EgressError {
  return new EgressError('deadline_exceeded', CALL, { message: 'scripted.model: the deadline has passed.' });
}

/** The messages of a run may be one array that grows, so they are copied; the rest stays what it is. */
function recorded(request: ModelRequest): ModelRequest {
  return { ...request, messages: structuredClone(request.messages) };
}
