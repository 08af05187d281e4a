import type { ModelToolCall } from '../model.js';
import { recordOf, recordsOf, saidText, type JsonRecord } from '../reply/read-json.js';
import { ToolArguments, type ReadArguments } from '../reply/tool-arguments.js';
import type { ToolCallIds } from '../reply/tool-call-ids.js';

interface OpenCall {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  readonly arguments: ToolArguments;
  extra: JsonRecord | undefined;
}

/** One entry of `tool_calls`, as far as it can be read. */
interface Entry {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/**
 * The calls of one reply, put together from the entries of its deltas. Neither index nor id nor name is trusted alone:
 * endpoints leave out ids, give every call the index 0, begin with 1, and repeat the name in each delta. Where the three say
 * two things, arguments end up as no JSON, which is told to the model, and not as a call that nobody made.
 */
export class ChatToolCalls {
  readonly #calls: OpenCall[] = [];

  /** Takes the entries of one delta. */
  add(entries: unknown): void {
    const named = new Set<OpenCall>();
    for (const raw of recordsOf(entries)) {
      const entry = readEntry(raw);
      const call = this.#callOf(entry, named) ?? this.#begin(entry);
      if (entry.name !== undefined) named.add(call);
      take(call, entry, raw);
    }
  }

  /** Takes the calls of a reply that came whole: each entry is one. */
  addWhole(entries: unknown): void {
    for (const raw of recordsOf(entries)) take(this.#begin(readEntry(raw)), readEntry(raw), raw);
  }

  /** The calls in the order in which they began. What never got a name is none. */
  read(ids: ToolCallIds): { readonly toolCalls: ModelToolCall[]; readonly extras: Record<string, JsonRecord> } {
    const isAstray = this.#calls.some(({ name, arguments: args }) => name === undefined && !args.isBlank);
    const extras: Record<string, JsonRecord> = {};
    const toolCalls = this.#calls.flatMap((call) => {
      if (call.name === undefined) return [];
      const id = ids.take(call.id);
      if (call.extra !== undefined) extras[id] = call.extra;
      return [{ id, name: call.name, ...(isAstray ? unlessBlank(call.arguments) : call.arguments.read()) }];
    });
    return { toolCalls, extras };
  }

  /** The call that an entry goes on with; undefined where it begins one. */
  #callOf(entry: Entry, named: ReadonlySet<OpenCall>): OpenCall | undefined {
    const candidate = this.#candidate(entry);
    if (candidate === undefined || entry.name === undefined) return candidate;
    if (candidate.name !== undefined && candidate.name !== entry.name) return undefined;
    if (candidate.id !== undefined && entry.id !== undefined && candidate.id !== entry.id) return undefined;
    return named.has(candidate) ? undefined : candidate;
  }

  #candidate({ index, id, name }: Entry): OpenCall | undefined {
    const last = this.#calls.at(-1);
    const sameId = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id);
    if (index === undefined) return sameId ?? last;
    const atIndex = this.#calls.findLast((call) => call.index === index);
    if (atIndex !== undefined && (id === undefined || atIndex.id === id)) return atIndex;
    if (sameId !== undefined && (sameId.index === index || name === undefined)) return sameId;
    // A call that began without an index may get one later.
    return atIndex ?? (last?.index === undefined ? last : undefined);
  }

  #begin({ index }: Entry): OpenCall {
    const call: OpenCall = { index, id: undefined, name: undefined, arguments: new ToolArguments(), extra: undefined };
    this.#calls.push(call);
    return call;
  }
}

function readEntry(raw: JsonRecord): Entry {
  const { index, id } = raw;
  return {
    index: typeof index === 'number' ? index : undefined,
    id: saidText(typeof id === 'number' ? String(id) : id),
    name: saidText(recordOf(raw['function'])?.['name']),
  };
}

function take(call: OpenCall, entry: Entry, raw: JsonRecord): void {
  call.index ??= entry.index;
  call.id ??= entry.id;
  call.name ??= entry.name;
  call.arguments.add(recordOf(raw['function'])?.['arguments']);
  const extra = recordOf(raw['extra_content']);
  if (extra !== undefined) call.extra = { extra_content: extra };
}

/** Arguments came that belong to no call that has a name: a call without any may be theirs. */
function unlessBlank(args: ToolArguments): ReadArguments {
  return args.isBlank ? { arguments: {}, fault: 'not_json' } : args.read();
}
