import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import request from 'supertest';
import {
  InMemoryQueryExecutor,
  ListQueryBody,
  QueryError,
  QueryPolicy,
  parseListQuery,
  type ListQuery,
  type QueryIssue,
} from '../../lib/query/index.js';
import { NoteRead, productPolicy } from '../query/product-read.js';
import { PLATFORMS, bootApplication, closeApplications } from '../support/application.js';

/**
 * A bracket parser built `{ $regex: '.*' }` where a value was expected, and the store ran it: all rows, or a pattern
 * that hangs it. Here each operand is checked for its field and operator, and operators are those of the policy.
 * @see https://github.com/idurar/idurar-erp-crm/pull/1423
 * @see https://github.com/Automattic/mongoose/issues/3944
 */
const policy = productPolicy({ filterable: { title: ['$eq', '$in'], stock: ['$eq', '$in'], sold: ['$eq'] } });

function codesOf(values: unknown, under = policy): readonly QueryIssue['code'][] {
  try {
    parseListQuery({ filters: { $values: values } }, under);
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues.map((issue) => issue.code);
    throw error;
  }
  return [];
}

const FOREIGN: unknown[] = [
  { $ne: null },
  { $where: 'sleep(1000)' },
  { $expr: {} },
  { $not: { $eq: 'a' } },
  { not: { contains: '' } },
  { contains: '' },
  { $options: 'i' },
  JSON.parse('{"__proto__": {}}'),
  { constructor: {} },
];

describe('an object where a scalar is expected', () => {
  it.each(FOREIGN)('is refused as an unknown operator: %j', (operand) => {
    expect(codesOf({ title: operand })).toEqual(['filter_operator_unknown']);
  });

  it.each([{ $regex: '^(a+)+$' }, { $like: '%' }, { $neq: 'x' }, { $null: false }])(
    'is refused with an operator that was not declared: %j',
    (operand) => {
      expect(codesOf({ title: operand })).toEqual(['filter_operator_not_allowed']);
    },
  );

  it.each(FOREIGN)('is refused as the operand of an operator, alone and in a list: %j', (operand) => {
    expect(codesOf({ title: { $eq: operand } })).toEqual(['filter_operand_invalid']);
    expect(codesOf({ title: [operand] })).toEqual(['filter_operand_invalid']);
    expect(codesOf({ title: { $in: operand } })).toEqual(['filter_operand_invalid']);
  });

  it.each([
    [{ title: { $eq: ['a'] } }],
    [{ title: 5 }],
    [{ title: true }],
    [{ stock: '5' }],
    [{ stock: [['5']] }],
    [{ sold: 'true' }],
    [{ sold: 1 }],
  ])('or a scalar of another type is refused: %j', (values) => {
    expect(codesOf(values)).toEqual(['filter_operand_invalid']);
  });

  it('is no way round for lists: $in takes them, where it is declared', () => {
    expect(codesOf({ title: ['a'] })).toEqual([]);
    expect(codesOf({ sold: [true] })).toEqual(['filter_operator_not_allowed']);
  });
});

describe('a pattern that would hang a backtracking engine', () => {
  it('is linear where patterns are declared', async () => {
    const patterns = productPolicy({ filterable: { title: ['$regex'] } });
    const plan = parseListQuery({ filters: { $values: { title: { $regex: '^(a+)+$' } } } }, patterns);
    const startMs = performance.now();
    const rows = [{ title: `${'a'.repeat(10_000)}!` }, { title: 'aaa' }];
    expect(await new InMemoryQueryExecutor<object>(rows).list(plan)).toMatchObject({ rows: [{ title: 'aaa' }] });
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});

let calls = 0;

@Controller('notes')
class NotesController {
  @QueryPolicy<NoteRead>({ filterable: { title: ['$eq'] } })
  @Post()
  list(@ListQueryBody(NoteRead) _query: ListQuery<NoteRead>) {
    calls++;
    return [];
  }
}

describe.each(PLATFORMS)('brackets of a form on %s', (platform) => {
  afterEach(async () => {
    calls = 0;
    await closeApplications();
  });

  it.each(['filters[$values][title][$ne]=x', 'filters[$values][title][$regex]=.*', 'filter=title&equal[$regex]=.*'])(
    'never reach the handler as operators: %s',
    async (body) => {
      const app = await bootApplication(platform, { controllers: [NotesController] });
      const http = request(app.getHttpServer()).post('/notes').set('content-type', 'application/x-www-form-urlencoded');
      const response = await http.send(body);
      expect([response.status < 500, response.status >= 400, calls]).toEqual([true, true, 0]);
    },
  );

  it('are not needed: the same value as JSON is taken', async () => {
    const app = await bootApplication(platform, { controllers: [NotesController] });
    const response = await request(app.getHttpServer())
      .post('/notes')
      .send({ filters: { $values: { title: 'x' } } });
    expect([response.status, calls]).toEqual([201, 1]);
  });
});
