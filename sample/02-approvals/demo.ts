import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import type { ModelMessage } from 'nestjs-palette';
import { AppModule, type AppOptions } from './app.module.js';
import type { Turn } from './desk/desk.service.js';
import { Payments } from './orders/payments.js';
import { StaffService, type STAFF } from './staff/staff.service.js';
import type { OpenedStore } from './store.js';

type Who = keyof typeof STAFF;

interface Pending {
  readonly approvalId: string;
  readonly argumentsHash: string;
  readonly arguments: string;
  readonly reason: string;
}

/**
 * Plays the recipe on the console: a small refund, one that waits over a restart and is approved, one that is denied.
 *
 * @param print takes one line at a time
 * @returns what did not happen as it should; nothing where all went well
 */
export async function playDemo(
  print: (line: string) => void,
  { store, name }: OpenedStore,
  provider?: AppOptions['provider'],
): Promise<readonly string[]> {
  const demo = new Demo(print, { store, payments: new Payments(), provider });
  try {
    print(`Conversations and approvals are kept in ${name}.`);
    await demo.play();
  } finally {
    await demo.stop();
  }
  // What a model of the network says is its own business.
  return provider === undefined ? demo.faults : [];
}

class Demo {
  readonly faults: string[] = [];
  /** Another one each time: a store may hold those of earlier demos. */
  readonly #id = Date.now().toString(36);
  #app: INestApplication | undefined;

  constructor(
    private readonly print: (line: string) => void,
    private readonly options: AppOptions,
  ) {}

  async play(): Promise<void> {
    await this.#start();
    await this.#say('small', 'Refund 20 for order A-1, please.');
    await this.#say('large', 'Refund 120 for order A-2, please.');
    await this.#decide('nina', 'large', 'approve', 403);
    this.print('');
    this.print('The application is stopped, and another one is started');
    await this.stop();
    await this.#start();
    await this.#decide('omar', 'large', 'approve', 200);
    await this.#shows('large', '120 euros went back for A-2.');
    await this.#say('huge', 'Refund 900 for order A-3, please.');
    await this.#decide('omar', 'huge', 'approve', 403);
    await this.#decide('petra', 'huge', 'deny', 200, 'the customer kept the goods');
    await this.#shows('huge', 'The refund was denied: the customer kept the goods.');
    const { paid, requests } = this.options.payments;
    this.print('');
    this.print(`The bank paid ${JSON.stringify(paid)}`);
    this.#expect(requests === 2, `the bank was asked ${requests} times`);
  }

  async stop(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }

  async #start(): Promise<void> {
    this.#app = await NestFactory.create(AppModule.register(this.options), { logger: false });
    await this.#app.listen(0, '127.0.0.1');
  }

  async #say(conversation: string, text: string): Promise<void> {
    this.print('');
    this.print(`nina says: ${text}`);
    const turn = (await this.#fetch('nina', this.#path(conversation), { text })).body as Turn;
    for (const { toolName, arguments: args } of turn.toolCalls)
      this.print(`  tool call  ${toolName} ${JSON.stringify(args)}`);
    for (const { reason } of turn.waitsFor) this.print(`  waits      ${reason}`);
    if (turn.answer !== undefined) this.print(`  answer     ${turn.answer}`);
  }

  async #decide(who: Who, conversation: string, verdict: string, status: number, comment?: string): Promise<void> {
    const query = `conversationId=${conversation}-${this.#id}&state=pending`;
    const { body } = await this.#fetch(who, `/approvals?${query}`);
    const [pending] = (body as { approvals: readonly Pending[] }).approvals;
    if (pending === undefined) return this.#expect(false, `nothing waits in "${conversation}"`);
    const { approvalId, argumentsHash } = pending;
    const decision = { verdict, argumentsHash, ...(comment !== undefined && { comment }) };
    const answer = await this.#fetch(who, `/approvals/${approvalId}/decision`, decision);
    const { code, message } = answer.body as { code?: string; message?: string };
    this.print(`  ${who} says   ${verdict} ${pending.arguments}`);
    if (code !== undefined) this.print(`  refused    ${code}: ${message}`);
    this.#expect(answer.status === status, `${who} was answered ${answer.status} about "${conversation}"`);
  }

  /** Waits until the conversation says it: the run goes on by itself. */
  async #shows(conversation: string, text: string): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { body } = await this.#fetch('nina', this.#path(conversation));
      const last = (body as { messages: readonly ModelMessage[] }).messages.at(-1);
      if (last?.role === 'assistant') {
        this.print(`  answer     ${last.text}`);
        return this.#expect(last.text === text, `"${conversation}" shows: ${last.text}`);
      }
      await sleep(50);
    }
    this.#expect(false, `"${conversation}" shows no answer`);
  }

  #path(conversation: string): string {
    return `/conversations/${conversation}-${this.#id}/messages`;
  }

  async #fetch(who: Who, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
    const app = this.#app as INestApplication;
    const authorization = (await app.get(StaffService, { strict: false }).authorizationOf(who)) ?? '';
    const response = await fetch(`${await app.getUrl()}${path}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  #expect(isTrue: boolean, fault: string): void {
    if (!isTrue) this.faults.push(fault);
  }
}
