import { Injectable, type OnModuleInit } from '@nestjs/common';
import { chatCompletion, EgressHandlers, type EgressReply } from 'nestjs-palette';
import { answerText } from './canned-answers.js';
import { called, said } from './canned-replies.js';
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
    this.handlers.on(modelService, chatCompletion, ({ messages }) => this.#reply(messages as readonly Message[]));
  }

  #reply(messages: readonly Message[]): EgressReply {
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const last = messages.at(-1);
    if (last?.role === 'tool') return said(answerText(question, last.content));
    const call = RULES.find(({ pattern }) => pattern.test(question));
    if (call === undefined) return said('I can answer questions about notes and films.');
    const id = `call-${++this.#calls}`;
    return called(id, call.tool, call.arguments);
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
