import { describe, expect, it } from '@jest/globals';
import { Exclude } from 'class-transformer';
import { IsDate, IsInt, IsString } from 'class-validator';
import {
  QueryError,
  QueryPolicy,
  describeQueryPolicy,
  parseAggregateQuery,
  parseListQuery,
  type QueryIssue,
} from '../../lib/query/index.js';
import { policyOf } from '../query/product-read.js';

/**
 * A protected field was taken out of the answer, but could still be sorted and grouped by, and its values were read from
 * the order of rows. Here filter, sort, group, compute and select are separate lists, and being in one grants nothing in
 * another.
 * @see https://github.com/frappe/frappe/pull/40515
 * @see https://github.com/nextlyhq/nextly/pull/1614
 */
@QueryPolicy({
  filterable: ['status'],
  sortable: ['createdAt'],
  aggregatable: ['grade'],
  returnable: ['id', 'status'],
})
class StaffRead {
  @IsInt() id!: number;
  @IsString() status!: string;
  @IsDate() createdAt!: Date;
  @IsInt() grade!: number;
  @IsInt() salary!: number;
  @Exclude() @IsString() passwordHash!: string;
}

const policy = policyOf(StaffRead);

function issuesOf(run: () => unknown): readonly QueryIssue[] {
  try {
    run();
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
  return [];
}

const list = (query: object) => issuesOf(() => parseListQuery(query, policy));
const aggregate = (query: object) => issuesOf(() => parseAggregateQuery(query, policy));

/** Every way to use a field, and the fields that have it. */
const uses: [string, string, (field: string) => readonly QueryIssue[]][] = [
  ['filter', 'status', (field) => list({ filters: { $values: { [field]: { $null: false } } } })],
  ['negated filter', 'status', (field) => list({ filters: { $not: { $values: { [field]: { $null: true } } } } })],
  ['sort', 'createdAt', (field) => list({ sorts: { [field]: 'asc' } })],
  ['select', 'id status', (field) => list({ select: [field] })],
  ['group', 'grade', (field) => aggregate({ $groups: { a: field } })],
  ['sum', 'grade', (field) => aggregate({ $computed: { a: { $sum: field } } })],
  ['maximum', 'grade', (field) => aggregate({ $computed: { a: { $max: { field } } } })],
  [
    'filter of an aggregate',
    'status',
    (field) => aggregate({ $groups: { a: 'grade' }, filters: { $values: { [field]: { $null: false } } } }),
  ],
  [
    'filter of a count',
    'status',
    (field) => aggregate({ $computed: { a: { $count: { filter: { $values: { [field]: { $null: false } } } } } } }),
  ],
];

const FIELDS = ['id', 'status', 'createdAt', 'grade', 'salary', 'passwordHash', 'invented'];

describe.each(uses)('%s', (_use, allowed, run) => {
  it.each(FIELDS)('by %s is allowed exactly where that list has it', (field) => {
    expect(run(field).length === 0).toBe(allowed.split(' ').includes(field));
  });

  it('tells a withheld, an excluded and an invented field apart in nothing but the name that was sent', () => {
    const textOf = (field: string) => JSON.stringify(run(field)).replaceAll(field, 'NAME');
    const withheld = ['salary', 'passwordHash'].map(textOf);
    expect(new Set([...withheld, textOf('invented')]).size).toBe(1);
  });

  it('names no withheld field among what is allowed', () => {
    expect(JSON.stringify(run('invented'))).not.toMatch(/salary|passwordHash/);
  });
});

describe('what a model is told', () => {
  it('names no withheld field', () => {
    expect(describeQueryPolicy(policy)).toBe(
      'Filterable fields — $eq, $ilike, $in, $like, $neq, $nin, $null, $regex on every field; string: status. ' +
        'Sortable by: createdAt. Aggregatable by: grade.',
    );
  });
});
