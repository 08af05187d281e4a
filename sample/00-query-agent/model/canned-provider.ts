import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EgressHandlers, EgressReply } from 'nestjs-palette';
import { answers, messages, modelService, type ModelReply } from './model.service.js';
import { answerText } from './canned-answers.js';

/** Stands in for a provider, without a key and without a network: it matches keywords, as a model would understand. */
@Injectable()
export class CannedProvider implements OnModuleInit {
  #calls = 0;

  constructor(private readonly handlers: EgressHandlers) {}

  onModuleInit(): void {
    this.handlers.on(modelService, messages, ({ question }) => this.#reply(question));
    this.handlers.on(modelService, answers, ({ question, result }) =>
      EgressReply.chunks(cut(events(answerText(question, result))), {
        headers: { 'content-type': 'text/event-stream' },
      }),
    );
  }

  #reply(question: string): ModelReply {
    const call = RULES.find(({ pattern }) => pattern.test(question));
    if (call === undefined) return { text: 'I can answer questions about notes and films.' };
    const id = `call-${++this.#calls}`;
    return { toolCall: { id, name: call.tool, arguments: JSON.stringify(call.arguments) } };
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

function events(text: string): Buffer {
  const deltas = text.match(/\S+\s*/g) ?? [];
  const lines = deltas.map((delta) => `data: ${JSON.stringify({ delta })}\n\n`);
  return Buffer.from([...lines, 'data: [DONE]\n\n'].join(''));
}

/** Cut where a network would: anywhere, in the middle of a line or of a character. */
function* cut(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 23) yield bytes.subarray(start, start + 23);
}
