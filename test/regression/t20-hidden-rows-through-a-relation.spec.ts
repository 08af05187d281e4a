import { describe, expect, it } from '@jest/globals';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import {
  QueryError,
  QueryPolicy,
  parseAggregateQuery,
  parseListQuery,
  type QueryIssue,
} from '../../lib/query/index.js';
import { policyOf } from '../query/product-read.js';

/**
 * A relation's secret could be filtered by although it could not be read, and the answer was read from which rows came
 * back. Here a name is allowed only where it is declared, and combinators and filters of computed values are walked
 * completely.
 * @see https://github.com/TriPSs/nestjs-query/issues/320
 * @see https://github.com/TriPSs/nestjs-query/pull/355
 */
class Owner {
  @IsString() email!: string;
}

@QueryPolicy({ filterable: ['title'], sortable: ['title'], aggregatable: ['title'] })
class TaskRead {
  @IsInt() id!: number;
  @IsString() title!: string;
  @ValidateNested() owner!: Owner;
}

class OpenTaskRead {
  @IsInt() id!: number;
  @IsString() title!: string;
  @ValidateNested() owner!: Owner;
}

const hidden: [string, Record<string, unknown>][] = [
  ['a nested object', { owner: { email: { $like: 'a%' } } }],
  ['an operator of another language', { owner: { email: { like: 'a%' } } }],
  ['a dotted path', { 'owner.email': { $like: 'a%' } }],
  ['a dotted path under a declared field', { 'title.owner.email': 'a' }],
  ['a path in brackets', { 'owner[email]': 'a' }],
  ['the relation itself', { owner: { $null: true } }],
  ['a hidden field beside a declared one', { title: 'a', owner: 'a' }],
];

const wrappings: [string, (filter: object) => object][] = [
  ['alone', (filter) => filter],
  ['in $and', (filter) => ({ $and: [{ $values: { title: 'a' } }, filter] })],
  ['in $or', (filter) => ({ $or: [{ $values: { title: 'a' } }, filter] })],
  ['in $not', (filter) => ({ $not: filter })],
  ['three levels deep', (filter) => ({ $and: [{ $or: [{ $values: { title: 'a' } }, { $not: filter }] }] })],
  [
    'last in a long list',
    (filter) => ({ $or: [...Array.from({ length: 20 }, () => ({ $values: { title: 'a' } })), filter] }),
  ],
];

function issuesOf(run: () => unknown): readonly QueryIssue[] {
  try {
    run();
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
  return [];
}

describe.each(wrappings)('a field of a relation, %s', (_where, wrap) => {
  const policy = policyOf(TaskRead);

  it.each(hidden)('is refused as %s, in every place of a filter', (_what, values) => {
    const filters = wrap({ $values: values });
    const refused = { code: 'field_not_filterable', allowed: ['title'] };
    expect(issuesOf(() => parseListQuery({ filters }, policy))).toEqual([expect.objectContaining(refused)]);
    const metrics = [{ $count: { filter: filters } }, { $max: { field: 'title', filter: filters } }];
    for (const metric of metrics) {
      expect(issuesOf(() => parseAggregateQuery({ $computed: { n: metric } }, policy))).toEqual([
        expect.objectContaining(refused),
      ]);
    }
  });

  it('is refused where nobody wrote a policy, too', () => {
    const filters = wrap({ $values: { 'owner.email': 'a' } });
    expect(issuesOf(() => parseListQuery({ filters }, policyOf(OpenTaskRead)))).toHaveLength(1);
  });

  it('does not keep a declared field from being used', () => {
    expect(issuesOf(() => parseListQuery({ filters: wrap({ $values: { title: { $like: 'a%' } } }) }, policy))).toEqual(
      [],
    );
  });
});

describe('a comparison', () => {
  const policy = policyOf(TaskRead);

  it.each([
    [{ title: { $like: 'a%', like: 'a%' } }, 'filter_operator_unknown'],
    [{ title: { $like: 'a%', owner: {} } }, 'filter_operator_unknown'],
    [{ title: { $gt: 'a' } }, 'filter_operator_not_allowed'],
  ])('with an operator or a key beyond what is declared is refused: %j', (values, code) => {
    expect(issuesOf(() => parseListQuery({ filters: { $values: values } }, policy)).map((issue) => issue.code)).toEqual(
      [code],
    );
  });
});
