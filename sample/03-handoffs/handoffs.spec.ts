import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { INestApplication } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootApplication, closeApplications, listen, PLATFORMS } from '../../test/support/application.js';
import type { Provider } from '../00-query-agent/model/model.service.js';
import { AppModule } from './app.module.js';
import type { Customer } from './customers/customers.js';
import { renderReply, say } from './say.js';
import type { Reply } from './talk/talk.controller.js';

const stepsOf = ({ events }: Reply): string[] =>
  events.flatMap((event) => {
    if (event.type === 'handoff') return [`${event.from} > ${event.to}`];
    return event.type === 'tool_result' && !event.toolName.startsWith('transfer') ? [event.toolName] : [];
  });

describe.each(PLATFORMS)('sample 03, three agents, on %s', (platform) => {
  let app: INestApplication;
  let url: string;

  async function boot(provider?: Provider): Promise<void> {
    app = await bootApplication(platform, { imports: [AppModule.register(provider)] });
    url = await listen(app);
  }
  beforeEach(() => boot());
  afterEach(closeApplications);

  const tokenOf = (customer: Customer): Promise<string> =>
    app.get(JwtService, { strict: false }).signAsync({ sub: customer });
  const as = async (customer: Customer, text: string, conversation: string = customer): Promise<Reply> =>
    say(url, await tokenOf(customer), conversation, text);

  it('asks what it is about, and transfers to whoever knows', async () => {
    expect(await as('ann', 'Hello!')).toMatchObject({ agent: 'triage', answer: 'What is it about?' });
    const reply = await as('ann', 'Where is my parcel?');
    expect(stepsOf(reply)).toEqual(['triage > orders', 'orders__list']);
    expect(reply).toMatchObject({ agent: 'orders', answer: expect.stringContaining('"what":"a lamp"') });
  });

  it('stays with whoever knows, and goes on to the next', async () => {
    await as('ann', 'Where is my parcel?');
    expect(stepsOf(await as('ann', 'What about order o-2?'))).toEqual(['orders__look']);
    const paid = await as('ann', 'Is it paid?');
    expect(stepsOf(paid)).toEqual(['orders > billing', 'invoices__list']);
    expect(paid.agent).toBe('billing');
    expect(stepsOf(await as('ann', 'Please send me a copy of i-2.'))).toEqual(['invoices__copy']);
    expect(stepsOf(await as('ann', 'And the parcel?'))).toEqual(['billing > orders', 'orders__list']);
  });

  it('shows each customer their own, whichever agent asks', async () => {
    expect((await as('ann', 'My invoices?')).answer).toContain('"id":"i-2"');
    const bob = await as('bob', 'My invoices?');
    expect([bob.answer.includes('i-3'), bob.answer.includes('i-1')]).toEqual([true, false]);
  });

  it('is refused by the application after a handoff as it is over HTTP', async () => {
    await as('ann', 'Where is my parcel?');
    const { events } = await as('ann', 'What about order o-3?');
    const forbidden = { isError: true, content: { code: 'forbidden', message: 'That is the order of somebody else.' } };
    expect(events).toContainEqual(expect.objectContaining({ ...forbidden, agent: 'orders' }));
    const headers = { authorization: `Bearer ${await tokenOf('ann')}` };
    expect((await fetch(`${url}/orders/o-3`, { headers })).status).toBe(403);
    expect((await fetch(`${url}/orders/o-1`, { headers })).status).toBe(200);
  });

  it('keeps a conversation for its customer', async () => {
    await as('ann', 'Where is my parcel?', 'c-1');
    await as('ann', 'Is it paid?', 'c-1');
    const headers = { authorization: `Bearer ${await tokenOf('ann')}` };
    const said = (await (await fetch(`${url}/conversations/c-1/messages`, { headers })).json()) as { role: string }[];
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    await expect(as('bob', 'What did ann say?', 'c-1')).rejects.toThrow('answered with 404');
    const others = { authorization: `Bearer ${await tokenOf('bob')}` };
    expect((await fetch(`${url}/conversations/c-1/messages`, { headers: others })).status).toBe(404);
    expect((await fetch(`${url}/conversations/c-1/messages`)).status).toBe(401);
  });

  it('is told for people', async () => {
    const reply = await as('ann', 'Please send me a copy of i-1.');
    expect(renderReply('ann: A copy, please.', reply)).toEqual([
      '',
      'ann: A copy, please.',
      '  triage hands over to billing',
      '  billing calls invoices__copy: {"sent":"i-1"}',
      '  billing: That is what I found: {"sent":"i-1"}',
    ]);
  });

  it('asks the provider that the environment names, for each agent with its own tools', async () => {
    const asked: { authorization: string | undefined; tools: string[]; system: string }[] = [];
    const provider = createServer((incoming, response) => {
      void textOf(incoming).then((text) => {
        const body = JSON.parse(text) as {
          tools: { function: { name: string } }[];
          messages: { content: string }[];
        };
        const tools = body.tools.map((tool) => tool.function.name);
        asked.push({ authorization: incoming.headers.authorization, tools, system: body.messages[0]?.content ?? '' });
        const call = { index: 0, id: 'c', type: 'function', function: { name: 'transfer_to_billing', arguments: '' } };
        const isFirst = asked.length === 1;
        const delta = isFirst ? { tool_calls: [call] } : { content: 'From afar.' };
        const choice = { index: 0, delta, finish_reason: isFirst ? 'tool_calls' : 'stop' };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
      });
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = provider.address() as AddressInfo;
      await boot({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'key', model: 'far-1' });
      expect(await as('ann', 'Hello!')).toMatchObject({ agent: 'billing', answer: 'From afar.' });
      expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer key', 'Bearer key']);
      expect(asked.map(({ tools }) => tools)).toEqual([
        ['transfer_to_orders', 'transfer_to_billing'],
        ['invoices__list', 'invoices__copy', 'transfer_to_orders'],
      ]);
      expect(asked[1]?.system).toContain('Answer questions about invoices');
    } finally {
      provider.closeAllConnections();
      provider.close();
    }
  });
});
