import type { INestApplication } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getPaletteToken, type Palette, type ToolResult } from 'nestjs-palette';
import request from 'supertest';
import { bootApplication, closeApplications, PLATFORMS } from '../../test/support/application.js';
import { AppModule } from './app.module.js';
import type { Turn } from './answers/answer.service.js';
import { USERS } from './auth/users.js';
import { playDemo } from './demo.js';

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
    const { result } = await ask('ada', 'How many films per genre?');
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
    const { result, answer } = await ask('ada', 'Which dramas are rated best?');
    const { hits, count } = (result as ToolResult).content as {
      hits: { title: string; rating: number }[];
      count: number;
    };
    expect(count).toBe(789);
    expect(hits.map(({ rating }) => rating)).toEqual([...hits.map(({ rating }) => rating)].sort((a, b) => b - a));
    expect(answer).toContain(hits[0]?.title);
  });

  it('is refused a field that the policy withholds, and told which it may use', async () => {
    const { result } = await ask('ada', 'Which notes mention revenue?');
    expect(result).toMatchObject({
      isError: true,
      content: { code: 'field_not_filterable', details: [{ allowed: ['category', 'title'] }] },
    });
  });

  it('is refused by the guard for the second user, and not for the first', async () => {
    expect((await ask('ben', 'How many notes per category?')).result).toMatchObject({
      isError: true,
      content: { code: 'forbidden' },
    });
    expect((await ask('ada', 'How many notes per category?')).result).toMatchObject({ isError: false });
  });

  it('answers without a tool where none is asked for', async () => {
    expect(await ask('ben', 'Hello?')).toEqual({ answer: 'I can answer questions about notes and films.' });
  });

  it('takes no question without a token', async () => {
    await request(app.getHttpServer() as never)
      .post('/ask')
      .send({ question: 'How many films?' })
      .expect(401);
  });
});

describe('the demo', () => {
  it('shows what it promises', async () => {
    const lines: string[] = [];
    expect(await playDemo((line) => lines.push(line))).toEqual([]);
    const text = lines.join('\n');
    expect(text).toMatch(/films__aggregate\s+\{"\$groups"/);
    expect(text).toContain('"genre":"Drama","films":789');
    expect(text).toMatch(/refused\s+field_not_filterable/);
    expect(text).toMatch(/refused\s+forbidden/);
    expect(text).toMatch(/does not boot: \[http_egress_unacknowledged\]/);
  });
});
