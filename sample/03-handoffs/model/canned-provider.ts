import { Injectable, type OnModuleInit } from '@nestjs/common';
import { chatCompletion, EgressHandlers, type EgressReply } from 'nestjs-palette';
import { called, said } from '../../00-query-agent/model/canned-replies.js';
import { modelService } from '../../00-query-agent/model/model.service.js';

interface Message {
  readonly role: string;
  readonly content: string | null;
}

interface Request {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

interface Rule {
  readonly pattern: RegExp;
  readonly tool: string;
}

/** Of several tools that a message fits, the first that the agent has. */
const RULES: readonly Rule[] = [
  { pattern: /copy of (?<id>i-\d)/i, tool: 'invoices__copy' },
  { pattern: /invoice|pay|paid/i, tool: 'invoices__list' },
  { pattern: /invoice|pay|paid|copy of/i, tool: 'transfer_to_billing' },
  { pattern: /order (?<id>o-\d)/i, tool: 'orders__look' },
  { pattern: /order|parcel|lamp/i, tool: 'orders__list' },
  { pattern: /order|parcel|lamp/i, tool: 'transfer_to_orders' },
];

/** Stands in for a provider, without a key and without a network: one model for all agents, which differ in what they are told. */
@Injectable()
export class CannedProvider implements OnModuleInit {
  #calls = 0;

  constructor(private readonly handlers: EgressHandlers) {}

  onModuleInit(): void {
    this.handlers.on(modelService, chatCompletion, (body) => this.#reply(body as unknown as Request));
  }

  #reply({ messages, tools = [] }: Request): EgressReply {
    const last = messages.at(-1);
    const result = last?.role === 'tool' ? (last.content ?? '') : '';
    if (result !== '' && !result.includes('transferred_to')) return said(`That is what I found: ${result}`);
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const names = new Set(tools.map((tool) => tool.function.name));
    const rule = RULES.find(({ pattern, tool }) => names.has(tool) && pattern.test(question));
    if (rule === undefined) return said('What is it about?');
    return called(`call-${++this.#calls}`, rule.tool, { ...rule.pattern.exec(question)?.groups });
  }
}
