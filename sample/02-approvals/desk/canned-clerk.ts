import { Injectable, type OnModuleInit } from '@nestjs/common';
import { chatCompletion, EgressHandlers, type EgressReply } from 'nestjs-palette';
import { called, said } from '../../00-query-agent/model/canned-replies.js';
import { modelService } from '../../00-query-agent/model/model.service.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

interface Told {
  /** Set where a person changed the arguments; what came of it is in `result` then. */
  readonly notice?: string;
  readonly result?: Told;
  readonly code?: string;
  readonly message?: string;
  readonly order?: string;
  readonly amount?: number;
  readonly total?: number;
  readonly details?: { readonly comment?: string };
}

const REFUND = /refund (?<amount>[\d.]+) for (?:order )?(?<order>[A-Z]-\d+)/i;
const LOOK = /order (?<order>[A-Z]-\d+)/i;

/** Stands in for a provider, without a key and without a network. It keeps nothing: all it knows is what it is sent. */
@Injectable()
export class CannedClerk implements OnModuleInit {
  constructor(private readonly handlers: EgressHandlers) {}

  onModuleInit(): void {
    this.handlers.on(modelService, chatCompletion, ({ messages }) => reply(messages as readonly Message[]));
  }
}

function reply(messages: readonly Message[]): EgressReply {
  const last = messages.at(-1);
  if (last?.role === 'tool') return said(answer(JSON.parse(last.content) as Told));
  const question = last?.content ?? '';
  const id = `call-${messages.length}`;
  const refund = REFUND.exec(question)?.groups;
  if (refund !== undefined) {
    return called(id, 'orders__refund', { order: refund['order'], amount: Number(refund['amount']) });
  }
  const order = LOOK.exec(question)?.groups?.['order'];
  return order === undefined ? said('I look orders up and refund them.') : called(id, 'orders__look', { order });
}

function answer({ notice, result, code, message, details, order, amount, total }: Told): string {
  if (notice !== undefined && result !== undefined) return `${answer(result)} A person changed the arguments.`;
  if (code === 'approval_denied') return `The refund was denied: ${details?.comment ?? 'without a word'}.`;
  if (code !== undefined) return `That was refused (${code}): ${message}`;
  return amount === undefined ? `Order ${order} came to ${total} euros.` : `${amount} euros went back for ${order}.`;
}
