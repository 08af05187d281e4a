import { describe, expect, it } from '@jest/globals';
import { Exclude } from 'class-transformer';
import { IsArray, IsEnum, IsInt, IsString, IsUUID } from 'class-validator';
import { BootFaults } from '../../common/index.js';
import { QueryPolicy } from './query-policy.decorator.js';
import type { QueryPolicyAxes } from './query-policy.options.js';
import { narrowQueryPolicy, resolveQueryPolicy } from './resolve-query-policy.js';
import type { ResolvedQueryPolicy } from './resolved-query-policy.js';

enum Status {
  Draft = 'draft',
  Published = 'published',
}

class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsInt() words!: number;
  @IsEnum(Status) status!: Status;
  @IsArray() tags!: string[];
  @Exclude() @IsString() secret!: string;
}

function resolve(options?: QueryPolicyAxes<string>) {
  const faults = new BootFaults();
  const policy = resolveQueryPolicy(NoteRead, { faults, where: 'Notes.list' }, options);
  return { policy, faults: faults.list };
}

function narrow(base: QueryPolicyAxes<string>, narrowing: QueryPolicyAxes<string>) {
  const faults = new BootFaults();
  const { policy, widened } = narrowQueryPolicy(resolve(base).policy, narrowing, { faults, where: 'palette "a"' });
  return { policy, widened, faults: faults.list };
}

const operatorsOf = (policy: ResolvedQueryPolicy) =>
  Object.fromEntries(Object.values(policy.filterable).map(({ field, operators }) => [field.name, operators]));

const EQUALITY = ['$eq', '$in', '$neq', '$nin', '$null'];
const TEXT = ['$eq', '$ilike', '$in', '$like', '$neq', '$nin', '$null', '$regex'];
const ORDERED = ['$eq', '$gt', '$gte', '$in', '$lt', '$lte', '$neq', '$nin', '$null'];

describe('a read model without a policy', () => {
  it('is open in every read field, and says so', () => {
    const { policy, faults } = resolve();
    expect(faults).toEqual([]);
    expect(policy).toMatchObject({ isDeclared: false, maxSize: 100, zone: 'UTC', defaultSort: [] });
    expect(operatorsOf(policy)).toEqual({ id: EQUALITY, title: TEXT, words: ORDERED, status: EQUALITY });
    expect(Object.keys(policy.sortable)).toEqual(['id', 'status', 'title', 'words']);
    expect(policy.aggregatable['words']).toMatchObject({
      isGroup: true,
      functions: ['$avg', '$count_distinct', '$max', '$min', '$sum'],
    });
    expect(policy.aggregatable['title']?.functions).toEqual(['$count_distinct', '$max', '$min']);
    expect(policy.aggregatable['status']?.functions).toEqual(['$count_distinct']);
  });

  it('reads what the type does not tell, but neither filters nor sorts it; what is excluded does not exist', () => {
    const { policy } = resolve();
    expect(policy.readFields).toEqual(['id', 'title', 'words', 'status', 'tags']);
    expect(Object.keys(policy.fields)).not.toContain('tags');
  });

  it('breaks ties by id', () => {
    expect(resolve().policy.tieBreaker).toMatchObject({ name: 'id', kind: 'uuid' });
  });

  it('tells the kinds and values of fields', () => {
    const { fields } = resolve().policy;
    expect([fields['title']?.kind, fields['words']?.kind]).toEqual(['string', 'int']);
    expect(fields['status']).toEqual({ name: 'status', kind: 'enum', enumValues: ['draft', 'published'] });
  });
});

describe('a declared policy', () => {
  it('holds the axes apart: being in one grants nothing in another', () => {
    const { policy } = resolve({ filterable: ['title'], sortable: ['words'], aggregatable: ['status'] });
    expect(Object.keys(policy.filterable)).toEqual(['title']);
    expect(Object.keys(policy.sortable)).toEqual(['words']);
    expect(Object.keys(policy.aggregatable)).toEqual(['status']);
    expect(policy.returnable).toBeUndefined();
  });

  it('opens an axis that is not set and closes one that is empty', () => {
    const { policy } = resolve({ filterable: [] });
    expect(Object.keys(policy.filterable)).toEqual([]);
    expect(Object.keys(policy.sortable)).toHaveLength(4);
  });

  it('takes operators by field, and functions by field', () => {
    const { policy } = resolve({
      filterable: { title: true, words: ['$lte', '$gte'] },
      aggregatable: { status: 'group', words: ['$sum', 'group'], title: ['$max'] },
    });
    expect(operatorsOf(policy)).toEqual({ title: TEXT, words: ['$gte', '$lte'] });
    expect(policy.aggregatable['status']).toMatchObject({ isGroup: true, functions: [] });
    expect(policy.aggregatable['words']).toMatchObject({ isGroup: true, functions: ['$sum'] });
    expect(policy.aggregatable['title']).toMatchObject({ isGroup: false, functions: ['$max'] });
  });

  it('takes what else there is to say', () => {
    const { policy, faults } = resolve({
      returnable: ['tags', 'id'],
      kinds: { tags: 'string' },
      tieBreaker: 'title',
      maxSize: 10,
      defaultSort: { words: 'desc' },
      zone: '+02:00',
      limits: { maxDepth: 3 },
    });
    expect(faults).toEqual([]);
    expect(policy).toMatchObject({ returnable: ['id', 'tags'], maxSize: 10, zone: '+02:00', isDeclared: true });
    expect(policy.limits).toMatchObject({ maxDepth: 3, maxClauses: 256 });
    expect(policy.tieBreaker?.name).toBe('title');
    expect(policy.defaultSort).toEqual([{ field: policy.fields['words'], direction: 'desc', nulls: 'last' }]);
    expect(operatorsOf(policy)['tags']).toEqual(TEXT);
  });

  it('is frozen, tables and entries included', () => {
    const { policy } = resolve({ filterable: ['title'], returnable: ['id'] });
    const parts = [policy, policy.filterable, policy.filterable['title'], policy.fields['title'], policy.returnable];
    for (const part of [...parts, policy.limits, policy.defaultSort]) expect(Object.isFrozen(part)).toBe(true);
  });

  it('has no keys but its own', () => {
    const { policy } = resolve();
    expect(policy.filterable['constructor']).toBeUndefined();
    expect('__proto__' in policy.sortable).toBe(false);
  });

  it.each<[string, object, string, string]>([
    ['a field that is not there', { sortable: ['titel'] }, 'query_policy_field_unknown', '`sortable` names "titel"'],
    ['an excluded field', { filterable: ['secret'] }, 'query_policy_field_unknown', '"secret"'],
    ['an inherited name', { filterable: ['constructor'] }, 'query_policy_field_unknown', '"constructor"'],
    ['a field of no kind', { filterable: ['tags'] }, 'query_policy_kind_unknown', 'cannot be told'],
    ['an operator that is not there', { filterable: { title: ['$ne'] } }, 'query_policy_operator_unknown', '"$ne"'],
    ['an operator of another kind', { filterable: { title: ['$gt'] } }, 'query_policy_operator_unsupported', 'string'],
    ['a function of another kind', { aggregatable: { title: ['$sum'] } }, 'query_policy_operator_unsupported', '$sum'],
    ['$count, which has no field', { aggregatable: { title: ['$count'] } }, 'query_policy_operator_unknown', '$count'],
    ['an unknown kind', { kinds: { title: 'text' } }, 'query_policy_kind_unknown', '"text"'],
    ['a kind for no field', { kinds: { titel: 'string' } }, 'query_policy_field_unknown', '`kinds` names "titel"'],
    ['an enum without values', { kinds: { title: 'enum' } }, 'query_policy_kind_unknown', '@IsEnum'],
    ['an unknown tie-breaker', { tieBreaker: 'nr' }, 'query_policy_field_unknown', '`tieBreaker`'],
    ['an unknown default sort', { defaultSort: { nr: 'asc' } }, 'query_policy_field_unknown', '`defaultSort`'],
    ['a default direction', { defaultSort: { title: 'up' } }, 'query_policy_option_invalid', 'defaultSort.title'],
    ['an unreadable field', { returnable: ['secret'] }, 'query_policy_field_unknown', '`returnable`'],
    ['a page size of 0', { maxSize: 0 }, 'query_policy_option_invalid', 'maxSize'],
    ['a page size of -1', { maxSize: -1 }, 'query_policy_option_invalid', 'maxSize'],
    ['a limit that is none', { limits: { depth: 3 } }, 'query_policy_option_invalid', 'limits.depth'],
    ['a limit that is infinite', { limits: { maxDepth: Infinity } }, 'query_policy_option_invalid', 'maxDepth'],
    ['a zone by name', { zone: 'Europe/Berlin' }, 'query_policy_option_invalid', 'zone'],
    ['a policy that is no object', 'title' as unknown as object, 'query_policy_option_invalid', 'the policy'],
    ['an option that is none', { filtrable: ['title'] }, 'query_policy_option_invalid', 'filtrable'],
    ['an axis that is no list', { sortable: 'title' }, 'query_policy_option_invalid', 'sortable'],
    ['operators that are no list', { filterable: { title: '$eq' } }, 'query_policy_option_invalid', 'filterable.title'],
  ])('is a fault with %s', (_what, options, code, part) => {
    const { faults } = resolve(options as QueryPolicyAxes<string>);
    expect(faults.map((fault) => fault.code)).toEqual([code]);
    expect(faults[0]?.message).toContain(part);
    expect(faults[0]?.message).toContain('Notes.list');
  });

  it('tells all faults, and allows what is left', () => {
    const { policy, faults } = resolve({ filterable: ['title', 'x'], sortable: ['y'], maxSize: 1.5 });
    expect(faults).toHaveLength(3);
    expect(Object.keys(policy.filterable)).toEqual(['title']);
    expect(policy.maxSize).toBe(100);
  });
});

describe('narrowing a policy', () => {
  const base = { filterable: { title: true, words: ['$gte', '$lte'] }, sortable: ['title', 'words'] } as const;

  it('takes away, and reports nothing', () => {
    const { policy, widened, faults } = narrow(base, {
      filterable: { title: ['$eq'], words: true },
      sortable: [],
      aggregatable: { words: ['$sum'] },
      returnable: ['id'],
      maxSize: 5,
      limits: { maxClauses: 8 },
      defaultSort: { title: 'desc' },
    });
    expect([widened, faults]).toEqual([[], []]);
    expect(operatorsOf(policy)).toEqual({ title: ['$eq'], words: ['$gte', '$lte'] });
    expect(Object.keys(policy.sortable)).toEqual([]);
    expect(policy).toMatchObject({ returnable: ['id'], maxSize: 5 });
    expect(policy.limits.maxClauses).toBe(8);
    expect(policy.defaultSort).toHaveLength(1);
  });

  it('reports whatever it would add, and grants none of it', () => {
    const { policy, widened } = narrow(
      { ...base, aggregatable: { words: ['$sum'] }, returnable: ['id'] },
      {
        filterable: { status: true, words: ['$eq', '$lte'] },
        sortable: ['id', 'title'],
        aggregatable: { words: true, title: 'group' },
        returnable: ['id', 'title'],
        maxSize: 200,
        limits: { maxDepth: 9 },
      },
    );
    expect(widened).toEqual([
      'maxSize: 200',
      'limits.maxDepth: 9',
      'returnable: title',
      'filterable: status',
      'filterable: words $eq',
      'sortable: id',
      'aggregatable: title group',
    ]);
    expect(operatorsOf(policy)).toEqual({ words: ['$lte'] });
    expect(Object.keys(policy.sortable)).toEqual(['title']);
    expect(policy.aggregatable['words']).toMatchObject({ isGroup: false, functions: ['$sum'] });
    expect(policy).toMatchObject({ returnable: ['id'], maxSize: 100 });
    expect(policy.limits.maxDepth).toBe(8);
  });

  it('is a fault where it redefines the read model or names what is not there', () => {
    const { faults } = narrow(base, { kinds: { title: 'uuid' }, tieBreaker: 'title', zone: 'UTC', sortable: ['x'] });
    expect(faults.map((fault) => fault.code)).toEqual([
      'query_policy_option_invalid',
      'query_policy_option_invalid',
      'query_policy_option_invalid',
      'query_policy_field_unknown',
    ]);
    expect(faults[0]?.message).toContain('palette "a"');
  });
});

describe('a policy on the read model', () => {
  it('throws its faults where nobody collects them', () => {
    @QueryPolicy({ maxSize: 0, limits: { maxDepth: 0 } })
    class BadRead {
      @IsString() title!: string;
    }
    expect(() => resolveQueryPolicy(BadRead)).toThrow(
      expect.objectContaining({ name: 'PaletteBootError', faults: [expect.anything(), expect.anything()] }),
    );
    expect(resolveQueryPolicy(NoteRead).isDeclared).toBe(false);
  });

  it('is told once, however often the read model is used', () => {
    @QueryPolicy({ sortable: ['title'], maxSize: 0 })
    class BadRead {
      @IsString() title!: string;
    }
    const faults = new BootFaults();
    resolveQueryPolicy(BadRead, { faults, where: 'A.list' });
    resolveQueryPolicy(BadRead, { faults, where: 'B.list' });
    expect(faults.list).toHaveLength(1);
    expect(faults.list[0]?.message).toContain('@QueryPolicy of BadRead');
  });

  it('is inherited by a subclass, whose further fields it does not open', () => {
    @QueryPolicy({ filterable: ['title'] })
    class BaseRead {
      @IsString() title!: string;
    }
    class MoreRead extends BaseRead {
      @IsString() salary!: string;
    }
    const policy = resolveQueryPolicy(MoreRead, { faults: new BootFaults(), where: 'test' });
    expect(Object.keys(policy.filterable)).toEqual(['title']);
    expect(policy.readFields).toEqual(['title', 'salary']);
  });
});
