import type { INestApplication } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getPaletteToken, type Palette } from 'nestjs-palette';
import request from 'supertest';
import { bootApplication, closeApplications, PLATFORMS } from '../../test/support/application.js';
import type { Turn } from '../00-query-agent/answers/answer.service.js';
import { USERS } from '../00-query-agent/auth/users.js';
import { AppModule } from './app.module.js';

describe.each(PLATFORMS)('sample 01, films in SQLite through TypeORM, on %s', (platform) => {
  let app: INestApplication;

  beforeEach(async () => {
    app = await bootApplication(platform, { imports: [AppModule] });
  });
  afterEach(closeApplications);

  async function ask(question: string): Promise<Turn> {
    const token = await app.get(JwtService, { strict: false }).signAsync({ ...USERS.ben });
    const response = await request(app.getHttpServer() as never)
      .post('/ask')
      .set('authorization', `Bearer ${token}`)
      .send({ question })
      .expect(200);
    return response.body as Turn;
  }

  it('counts the films of each genre in the database, within what the application lets its callers see', async () => {
    const {
      results: [result],
    } = await ask('How many films per genre?');
    expect(result?.content).toEqual(
      expect.arrayContaining([
        { genre: 'Drama', films: 789 },
        { genre: 'Comedy', films: 675 },
      ]),
    );
    const counts = result?.content as { films: number }[];
    // One of the 3,201 films has no title.
    expect(counts.reduce((sum, { films }) => sum + films, 0)).toBe(3_200);
  });

  it('finds the best dramas', async () => {
    const {
      results: [result],
      answer,
    } = await ask('Which dramas are rated best?');
    expect(result?.content).toMatchObject({
      count: 789,
      hits: [{ title: 'The Shawshank Redemption', rating: 9.2 }, {}, {}, {}, {}],
    });
    expect(answer).toContain('Pulp Fiction (8.9)');
  });

  it('offers both queries of the films', () => {
    const { definitions } = app.get<Palette>(getPaletteToken('answering'), { strict: false });
    expect(definitions.map(({ name }) => name)).toEqual(['films__list', 'films__aggregate']);
  });
});
