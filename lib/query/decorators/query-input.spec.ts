import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { IsInt, IsUUID } from 'class-validator';
import { NoteRead, ProductRead } from '../../../test/query/product-read.js';
import { BootFaults } from '../../common/index.js';
import { SchemaContext, declaredInputs } from '../../operations/index.js';
import type { AggregateQuery, ListQuery } from '../ast.js';
import type { CursorSecret } from '../cursor/index.js';
import { QueryPolicy, type QueryPolicyOptions } from '../policy/index.js';
import { checkQueryPolicies } from './check-query-policies.js';
import { AggregateQueryBody, ListQueryBody, type ListQueryBodyOptions } from './query-body.decorator.js';
import { QueryInput } from './query-input.js';

const SQL_LIKE = { operators: ['$eq', '$in', '$like', '$null'], functions: ['$count_distinct'] } as const;

class NotesController {
  list(@ListQueryBody(NoteRead) _query: ListQuery<NoteRead>): void {}

  @QueryPolicy<NoteRead>({ filterable: ['title'], maxSize: 5 })
  narrow(@ListQueryBody(NoteRead) _query: ListQuery<NoteRead>): void {}

  @QueryPolicy<NoteRead>({ filterable: ['body'], maxSize: 500 })
  wide(@AggregateQueryBody(NoteRead) _query: AggregateQuery<NoteRead>): void {}

  store(@AggregateQueryBody(ProductRead, { capabilities: SQL_LIKE }) _query: AggregateQuery<ProductRead>): void {}

  plain(): void {}
}

class SubController extends NotesController {}

function inputOf(method: string, controller = NotesController): QueryInput {
  const input = declaredInputs(controller.prototype, method).get(0);
  if (input instanceof QueryInput) return input;
  throw new Error('no query input');
}

describe('a query input', () => {
  it('tells its read model and form', () => {
    expect(inputOf('list')).toMatchObject({ readModel: NoteRead, form: 'list', source: 'body' });
    expect(inputOf('wide')).toMatchObject({ readModel: NoteRead, form: 'aggregate' });
  });

  it('describes a method under its own policy', () => {
    const { policy, sentence, widened } = inputOf('narrow').describeFor(NotesController.prototype, 'narrow');
    expect(sentence).toMatch(/string: title\. Sortable by: title\. Aggregatable by: category\.$/);
    expect([policy.maxSize, widened]).toEqual([5, []]);
  });

  it('describes a method of a subclass', () => {
    const input = inputOf('narrow', SubController);
    expect(input.describeFor(SubController.prototype, 'narrow').policy.maxSize).toBe(5);
  });

  it('narrows further, and tells what a narrowing asks for beyond', () => {
    const input = inputOf('narrow');
    const { policy, sentence, widened } = input.describeFor(NotesController.prototype, 'narrow', {
      filterable: { title: ['$eq'], category: true },
      sortable: [],
      aggregatable: [],
    });
    expect(widened).toEqual(['filterable: category']);
    expect(sentence).toBe('Filterable fields — $eq on every field; string: title.');
    const { properties } = input.schemaFor(policy, new SchemaContext());
    expect(properties).not.toHaveProperty('sorts');
  });

  it('makes the schema of its method', () => {
    const context = new SchemaContext();
    const schema = inputOf('narrow').schema(context);
    expect(schema.properties?.['size']).toMatchObject({ maximum: 5 });
    const values = context.definitions['NoteReadFilter']?.properties?.['$values'];
    expect(Object.keys(values?.properties ?? {})).toEqual(['title']);
  });

  it('is held to what the store can run', () => {
    const { policy } = inputOf('store').describeFor(NotesController.prototype, 'store');
    expect(policy.filterable['title']?.operators).toEqual(['$eq', '$in', '$like', '$null']);
    expect(policy.filterable['price']?.operators).toEqual(['$eq', '$in', '$null']);
    expect(policy.aggregatable['price']).toMatchObject({ isGroup: true, functions: ['$count_distinct'] });
  });

  it('throws the faults of a policy where nobody collects them, but not for its schema', () => {
    const input = inputOf('wide');
    expect(() => input.describeFor(NotesController.prototype, 'wide')).toThrow(
      expect.objectContaining({ name: 'PaletteBootError', code: 'query_policy_widens' }),
    );
    expect(() => input.schema(new SchemaContext())).not.toThrow();
  });
});

describe('checkQueryPolicies', () => {
  it('tells the faults of every method, inherited ones too, operation or not', () => {
    const faults = new BootFaults();
    checkQueryPolicies([NotesController], faults);
    expect(faults.list).toEqual([
      {
        code: 'query_policy_widens',
        message: expect.stringContaining(
          'NotesController.wide: the method widens the query policy of NoteRead: maxSize: 500; filterable: body',
        ),
      },
    ]);
    checkQueryPolicies([SubController], faults);
    expect(faults.list[1]?.message).toContain('SubController.wide');
  });
});

class WageRead {
  @IsUUID() id!: string;
  @IsInt() wage!: number;
}

class PlainRead {
  @IsInt() wage!: number;
}

describe('pages by cursor', () => {
  const faultsOf = (readModel: Type, options: ListQueryBodyOptions, policy: QueryPolicyOptions<WageRead> = {}) => {
    class WagesController {
      list(_query: unknown): void {}
    }
    const { prototype } = WagesController;
    ListQueryBody(readModel, { paging: 'cursor', ...options })(prototype, 'list', 0);
    QueryPolicy<WageRead>(policy)(prototype, 'list', Object.getOwnPropertyDescriptor(prototype, 'list') as never);
    const faults = new BootFaults();
    checkQueryPolicies([WagesController], faults);
    return faults.list.map(({ code, message }) => `${code}: ${message}`);
  };
  const cursorSecret = 'x'.repeat(32);

  it('need an order that is total', () => {
    expect(faultsOf(PlainRead, {})).toEqual([expect.stringMatching(/^query_cursor_order_partial: .*PlainRead/)]);
    expect(faultsOf(WageRead, {})).toEqual([]);
  });

  it('show no field that rows may not hold, unless they are sealed', () => {
    const policy = { returnable: ['id'] } as const;
    expect(faultsOf(WageRead, {}, policy)).toEqual([expect.stringMatching(/^query_cursor_reveals: .* wage,/)]);
    expect(faultsOf(WageRead, { cursorSecret }, policy)).toEqual([]);
    expect(faultsOf(WageRead, {}, { ...policy, sortable: [] })).toEqual([]);
    expect(faultsOf(WageRead, {}, { ...policy, sortable: [], defaultSort: { wage: 'asc' } })).toHaveLength(1);
    expect(faultsOf(WageRead, { paging: 'offset' }, policy)).toEqual([]);
  });

  it('are held to what a palette leaves of the policy', () => {
    class WagesController {
      list(@ListQueryBody(WageRead, { paging: 'cursor' }) _query: ListQuery<WageRead>): void {}
    }
    const faults = new BootFaults();
    const input = declaredInputs(WagesController.prototype, 'list').get(0) as QueryInput;
    input.describeFor(WagesController.prototype, 'list', { returnable: ['id'] }, { faults, where: 'palette "p"' });
    expect(faults.list).toMatchObject([{ code: 'query_cursor_reveals' }]);
  });

  it.each<[string, CursorSecret]>([
    ['is too short', 'x'.repeat(31)],
    ['is too short as a function yields it', () => ''],
    ['is no text', (() => undefined) as unknown as () => string],
    [
      'cannot be had',
      () => {
        throw new Error('no configuration, and its password');
      },
    ],
  ])('need no secret that %s', (_what, secret) => {
    const [fault, ...others] = faultsOf(WageRead, { cursorSecret: secret });
    expect([fault, others]).toEqual([expect.stringMatching(/^query_policy_option_invalid: .*cursorSecret/), []]);
    expect(fault).not.toContain('password');
    expect(faultsOf(WageRead, { cursorSecret: () => cursorSecret })).toEqual([]);
  });
});
