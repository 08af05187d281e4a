import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import request from 'supertest';
import { AggregateQueryBody, ListQueryBody, type AggregateQuery, type ListQuery } from '../../lib/query/index.js';
import { NoteRead } from '../query/product-read.js';
import { PLATFORMS, bootApplication, closeApplications } from '../support/application.js';

/**
 * A sort field or direction went raw into ORDER BY, guarded by a deny-list of patterns: arbitrary expressions, blind
 * extraction. Here names are looked up among the policy's own and directions are two words.
 * @see https://github.com/nestjsx/crud/issues/849
 * @see https://github.com/bigcapitalhq/bigcapital/pull/1097
 * @see https://github.com/ppetzold/nestjs-paginate/issues/460
 */
const seen: unknown[] = [];

@Controller('notes')
class NotesController {
  @Post('list')
  list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>) {
    seen.push(query);
    return [];
  }

  @Post('aggregate')
  aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>) {
    seen.push(query);
    return [];
  }
}

const HOSTILE_NAMES = [
  '(CASE WHEN 1=1 THEN id ELSE name END)',
  'id; DROP',
  'constructor',
  '__proto__',
  'toString',
  'user.passwordHash',
  'title ',
  'Title',
  'title;',
  'title`',
  'title"',
  '',
  '1',
];

const HOSTILE_ORDERS: unknown[] = [
  'DESC, (SELECT 1)',
  'DESC',
  '',
  ' asc',
  ['asc'],
  1,
  true,
  null,
  {},
  { dir: 'asc', nulls: 'first', collate: 'x' },
  { dir: ['asc'] },
  { dir: 'asc', nulls: 'last; --' },
];

describe.each(PLATFORMS)('a sort on %s', (platform) => {
  afterEach(async () => {
    seen.length = 0;
    await closeApplications();
  });

  async function post(path: string, body: string) {
    const app = await bootApplication(platform, { controllers: [NotesController] });
    return request(app.getHttpServer()).post(`/notes/${path}`).set('content-type', 'application/json').send(body);
  }

  // Fastify's own parser refuses `__proto__` before anybody else sees it: also a 400, also before the handler.
  it.each(HOSTILE_NAMES)('by "%s" is refused before the handler, which never sees the text', async (name) => {
    const response = await post('list', `{"sorts": {${JSON.stringify(name)}: "asc"}}`);
    expect([response.status, seen]).toEqual([400, []]);
    if (name !== '__proto__' || platform === 'express') {
      expect(response.body.details).toEqual([
        expect.objectContaining({ code: 'field_not_sortable', allowed: ['title'] }),
      ]);
    }
  });

  it.each(HOSTILE_ORDERS)('in the order %j is refused before the handler, naming the directions', async (order) => {
    const response = await post('list', JSON.stringify({ sorts: { title: order } }));
    expect([response.status, seen]).toEqual([400, []]);
    expect(response.body.code).toBe('sort_invalid');
  });

  it('of an aggregate is held to its own aliases in the same way', async () => {
    const groups = { c: 'category' };
    for (const name of HOSTILE_NAMES.filter((each) => each !== '__proto__')) {
      const response = await post('aggregate', JSON.stringify({ $groups: groups, sorts: { [name]: 'asc' } }));
      expect(response.body.details).toEqual([expect.objectContaining({ code: 'field_not_sortable', allowed: ['c'] })]);
      await closeApplications();
    }
    expect(seen).toEqual([]);
  });

  it("that is allowed arrives as the policy's own field and one of two words", async () => {
    const response = await post('list', '{"sorts": {"title": "desc"}}');
    expect(response.status).toBe(201);
    expect(seen).toMatchObject([
      { sorts: [{ field: { name: 'title' }, direction: 'desc' }, { field: { name: 'id' } }] },
    ]);
  });

  it.each(["%' OR 1=1 --", '_', '\\\\', '%', "'; DROP TABLE notes; --"])(
    'leaves the search term %s a value',
    async (term) => {
      const response = await post('list', JSON.stringify({ filters: { $values: { title: { $like: term } } } }));
      expect(response.status).toBe(201);
      expect(seen).toMatchObject([{ filter: { type: 'pattern', patterns: [term] } }]);
    },
  );
});
