import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { INestApplication } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getPaletteToken, type Palette } from 'nestjs-palette';
import request from 'supertest';
import { bootApplication, closeApplications, PLATFORMS } from '../../test/support/application.js';
import { AppModule } from './app.module.js';
import type { Turn } from './answers/answer.service.js';
import { USERS } from './auth/users.js';
import { playDemo } from './demo.js';
import { providerOf } from './model/model.service.js';

describe.each(PLATFORMS)('sample 00, the query agent, on %s', (platform) => {
  let app: INestApplication;

  beforeEach(async () => {
    app = await bootApplication(platform, { imports: [AppModule.register({ acknowledgeDataEgress: true })] });
  });
  afterEach(closeApplications);

  async function ask(who: keyof typeof USERS, question: string): Promise<Turn> {
    const token = await app.get(JwtService, { strict: false }).signAsync({ ...USERS[who] });
    const response = await request(app.getHttpServer() as never)
      .post('/ask')
      .set('authorization', `Bearer ${token}`)
      .send({ question })
      .expect(200);
    return response.body as Turn;
  }

  it('tells the model the sentence of the policy', () => {
    const { definitions } = app.get<Palette>(getPaletteToken('answering'), { strict: false });
    expect(definitions[0]?.description).toBe(
      'List notes by filters and sorts (offset pagination). Filterable fields — $eq, $ilike, $in, $like, $neq, $nin, ' +
        '$null, $regex on every field; string: category, title. Sortable by: title. Aggregatable by: category.',
    );
  });

  it('counts the films of each genre, and those without one', async () => {
    const {
      results: [result],
    } = await ask('ada', 'How many films per genre?');
    expect(result?.content).toEqual(
      expect.arrayContaining([
        { genre: 'Drama', films: 789 },
        { genre: 'Comedy', films: 675 },
        { genre: null, films: 275 },
      ]),
    );
    expect(result?.content).toHaveLength(13);
  });

  it('finds the best dramas', async () => {
    const {
      results: [result],
      answer,
    } = await ask('ada', 'Which dramas are rated best?');
    const { hits, count } = result?.content as {
      hits: { title: string; rating: number }[];
      count: number;
    };
    expect(count).toBe(789);
    expect(hits.map(({ rating }) => rating)).toEqual([...hits.map(({ rating }) => rating)].sort((a, b) => b - a));
    expect(answer).toContain(hits[0]?.title);
  });

  it('is refused a field that the policy withholds, and told which it may use', async () => {
    const {
      results: [result],
    } = await ask('ada', 'Which notes mention revenue?');
    expect(result).toMatchObject({
      isError: true,
      content: { code: 'field_not_filterable', details: [{ allowed: ['category', 'title'] }] },
    });
  });

  it('is refused by the guard for the second user, and not for the first', async () => {
    expect((await ask('ben', 'How many notes per category?')).results[0]).toMatchObject({
      isError: true,
      content: { code: 'forbidden' },
    });
    expect((await ask('ada', 'How many notes per category?')).results[0]).toMatchObject({ isError: false });
  });

  it('answers without a tool where none is asked for', async () => {
    expect(await ask('ben', 'Hello?')).toEqual({
      toolCalls: [],
      results: [],
      answer: 'I can answer questions about notes and films.',
    });
  });

  it('takes no question without a token', async () => {
    await request(app.getHttpServer() as never)
      .post('/ask')
      .send({ question: 'How many films?' })
      .expect(401);
  });
});

describe('a provider that the environment names', () => {
  it('is asked in place of the canned one, with its key and its model', async () => {
    const asked: { authorization: string | undefined; body: string }[] = [];
    const server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        asked.push({ authorization: incoming.headers.authorization, body });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const choice = { index: 0, delta: { content: 'From afar.' }, finish_reason: 'stop' };
        response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const environment = { MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`, MODEL_API_KEY: 'key', MODEL_NAME: 'far-1' };
      const lines: string[] = [];
      expect(await playDemo((line) => lines.push(line), providerOf(environment))).toEqual([]);
      expect(lines.filter((line) => line.includes('From afar.'))).toHaveLength(6);
      expect(asked[0]?.authorization).toBe('Bearer key');
      expect(JSON.parse(asked[0]?.body ?? '{}')).toMatchObject({ model: 'far-1', tools: { length: 4 } });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('is none where the environment says nothing', () => {
    expect(providerOf({})).toBeUndefined();
  });
});

describe('the demo', () => {
  it('shows what it promises', async () => {
    const lines: string[] = [];
    expect(await playDemo((line) => lines.push(line))).toEqual([]);
    const shown = lines.join('\n');
    expect(shown).toMatch(/films__aggregate\s+\{"\$groups"/);
    expect(shown).toContain('"genre":"Drama","films":789');
    expect(shown).toMatch(/refused\s+field_not_filterable/);
    expect(shown).toMatch(/refused\s+forbidden/);
    expect(shown).toMatch(/does not boot: \[http_egress_unacknowledged\]/);
  });
});
