import { Injectable, type OnModuleInit } from '@nestjs/common';
import { chatCompletion, EgressHandlers, EgressReply } from 'nestjs-palette';
import { answerText } from './canned-answers.js';
import { modelService } from './model.service.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Stands in for a provider, without a key and without a network: it matches keywords, as a model would understand. */
@Injectable()
export class CannedProvider implements OnModuleInit {
  #calls = 0;

  constructor(private readonly handlers: EgressHandlers) {}

  onModuleInit(): void {
    this.handlers.on(modelService, chatCompletion, ({ messages }) =>
      EgressReply.chunks(cut(this.#reply(messages as readonly Message[])), {
        headers: { 'content-type': 'text/event-stream' },
      }),
    );
  }

  #reply(messages: readonly Message[]): Buffer {
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const last = messages.at(-1);
    if (last?.role === 'tool') return said(answerText(question, last.content));
    const call = RULES.find(({ pattern }) => pattern.test(question));
    if (call === undefined) return said('I can answer questions about notes and films.');
    const id = `call-${++this.#calls}`;
    return called(id, call.tool, JSON.stringify(call.arguments));
  }
}

const RULES: readonly { readonly pattern: RegExp; readonly tool: string; readonly arguments: object }[] = [
  {
    pattern: /how many notes/i,
    tool: 'notes__aggregate',
    arguments: { $groups: { category: 'category' }, $computed: { notes: { $count: null } } },
  },
  {
    pattern: /how many films/i,
    tool: 'films__aggregate',
    arguments: {
      $groups: { genre: 'genre' },
      $computed: { films: { $count: null } },
      sorts: { films: 'desc' },
    },
  },
  {
    pattern: /dramas.*rated best/i,
    tool: 'films__list',
    arguments: { filters: { $values: { genre: 'Drama' } }, sorts: { rating: 'desc', votes: 'desc' }, size: 5 },
  },
  {
    pattern: /notes mention/i,
    tool: 'notes__list',
    arguments: { filters: { $values: { body: { $ilike: '%revenue%' } } } },
  },
  { pattern: /notes.*work/i, tool: 'notes__list', arguments: { filters: { $values: { category: 'work' } } } },
];

function said(text: string): Buffer {
  const deltas = text.match(/\S+\s*/g) ?? [];
  return events([...deltas.map((content) => ({ content }))], 'stop');
}

function called(id: string, name: string, text: string): Buffer {
  const call = { index: 0, id, type: 'function', function: { name, arguments: text } };
  return events([{ tool_calls: [call] }], 'tool_calls');
}

/** Server-sent events, as a provider of chat completions streams them. */
function events(deltas: readonly object[], finishReason: string): Buffer {
  const choices = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: finishReason }];
  const lines = choices.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  return Buffer.from([...lines, 'data: [DONE]\n\n'].join(''));
}

/** Cut where a network would: anywhere, in the middle of a line or of a character. */
function* cut(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 23) yield bytes.subarray(start, start + 23);
}
