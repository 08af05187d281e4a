import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareLocks } from './compare-locks.js';
import type { EgressLock, OperationLock, PaletteLock, PolicyLock, ToolLock } from './palette-lock.js';

const listOperation: OperationLock = {
  kind: 'query',
  route: 'POST /notes/list',
  description: 'List notes.',
  schema: 'sha256:1',
};

const policy: PolicyLock = {
  sentence: 'Filterable fields',
  filterable: { title: ['$eq', '$like'] },
  sortable: ['title'],
  aggregatable: { title: ['group'] },
  returnable: ['id', 'title'],
  maxSize: 50,
};

const listTool: ToolLock = {
  operation: 'notes.list',
  annotations: { destructive: false, idempotent: false, readOnly: true },
  arguments: { filter: 'optional', page: 'required' },
  policy,
  schema: 'sha256:2',
  definition: 'sha256:3',
};

const service: EgressLock = {
  origin: 'https://api.example',
  basePath: '/v1',
  sensitive: true,
  acknowledged: true,
  operations: { send: 'POST /messages' },
};

interface Parts {
  readonly operation?: Partial<OperationLock>;
  readonly tool?: Partial<ToolLock>;
  readonly policy?: Partial<PolicyLock>;
  readonly palette?: { readonly readOnly?: boolean; readonly include?: readonly string[] };
  readonly tools?: Readonly<Record<string, ToolLock>>;
  readonly operations?: Readonly<Record<string, OperationLock>>;
  readonly palettes?: PaletteLock['palettes'];
  readonly egress?: PaletteLock['egress'];
}

function lock(parts: Parts = {}): PaletteLock {
  const tool: ToolLock = { ...listTool, policy: { ...policy, ...parts.policy }, ...parts.tool };
  return {
    lockfileVersion: 1,
    operations: { 'notes.list': { ...listOperation, ...parts.operation }, ...parts.operations },
    palettes: {
      reading: {
        readOnly: true,
        include: ['notes.list'],
        ...parts.palette,
        tools: { notes__list: tool, ...parts.tools },
      },
      ...parts.palettes,
    },
    egress: parts.egress ?? { model: service },
  };
}

function changes(after: Parts, before: Parts = {}): readonly string[] {
  return compareLocks(lock(before), lock(after)).map(({ effect, at, what }) => `${effect} | ${at} | ${what}`);
}

const tool = 'tool notes__list of palette "reading"';
const removal: ToolLock = {
  operation: 'notes.remove',
  annotations: { destructive: true, idempotent: true, readOnly: false },
  arguments: { id: 'required' },
  schema: 'sha256:4',
  definition: 'sha256:5',
};
const removeOperation: OperationLock = { ...listOperation, kind: 'command', route: 'DELETE /notes/:id' };
const withRemoval: Parts = { tools: { notes__remove: removal }, operations: { 'notes.remove': removeOperation } };

describe('compareLocks', () => {
  it('finds nothing between equal locks', () => {
    expect(changes({})).toEqual([]);
  });

  it.each<[string, Parts, readonly string[]]>([
    [
      'a tool',
      withRemoval,
      [
        'gained | tool notes__remove of palette "reading" | is new: notes.remove, command, DELETE /notes/:id, destructive',
      ],
    ],
    [
      'commands',
      { palette: { readOnly: false } },
      ['gained | palette "reading" | takes commands now (readOnly: false)'],
    ],
    [
      'a palette, with its tools',
      { palettes: { acting: { readOnly: false, include: ['notes.list'], tools: { notes__list: listTool } } } },
      [
        'gained | palette "acting" | is new, takes commands',
        'gained | tool notes__list of palette "acting" | is new: notes.list, query, POST /notes/list',
      ],
    ],
    [
      'operators of a field',
      { policy: { filterable: { title: ['$eq', '$like', '$regex'] } } },
      [`gained | ${tool} | policy: filters title with $regex`],
    ],
    [
      'a field to filter by',
      { policy: { filterable: { ...policy.filterable, body: ['$eq'] } } },
      [`gained | ${tool} | policy: filters body with $eq`],
    ],
    ['a field to sort by', { policy: { sortable: ['body', 'title'] } }, [`gained | ${tool} | policy: sorts by body`]],
    [
      'an aggregation',
      { policy: { aggregatable: { title: ['group', '$count'] } } },
      [`gained | ${tool} | policy: aggregates title with $count`],
    ],
    [
      'a field of rows',
      { policy: { returnable: ['body', 'id', 'title'] } },
      [`gained | ${tool} | policy: returns body`],
    ],
    ['larger pages', { policy: { maxSize: 500 } }, [`gained | ${tool} | policy: rows of one page: 50 -> 500`]],
    [
      'an argument',
      { tool: { arguments: { ...listTool.arguments, force: 'optional' }, schema: 'sha256:9' } },
      [`gained | ${tool} | takes the argument "force" (optional)`, `changed | ${tool} | input schema is another`],
    ],
    [
      'an argument that may be left out',
      { tool: { arguments: { filter: 'optional', page: 'optional' } } },
      [`gained | ${tool} | the argument "page" is optional now`],
    ],
    [
      'destruction',
      { tool: { annotations: { ...listTool.annotations, destructive: true, readOnly: false } } },
      [`gained | ${tool} | destructive: false -> true`, `gained | ${tool} | readOnly: true -> false`],
    ],
    [
      'another operation',
      { tool: { operation: 'notes.purge' } },
      [`gained | ${tool} | operation: "notes.list" -> "notes.purge"`],
    ],
    [
      'an action where there was a reading',
      { operation: { kind: 'command' } },
      ['gained | operation notes.list (reading) | kind: "query" -> "command"'],
    ],
    [
      'a way out',
      { egress: { model: service, search: { ...service, sensitive: false, acknowledged: false, basePath: '/' } } },
      [
        'gained | egress service "search" | is new: data may leave to https://api.example (not sensitive, not acknowledged)',
        'gained | egress service "search" | operation send: POST /messages',
      ],
    ],
    [
      'another destination',
      { egress: { model: { ...service, origin: 'https://eu.example' } } },
      ['gained | egress service "model" | goes to: "https://api.example/v1" -> "https://eu.example/v1"'],
    ],
    [
      'a route of a service',
      { egress: { model: { ...service, operations: { ...service.operations, files: 'PUT /files' } } } },
      ['gained | egress service "model" | operation files: PUT /files'],
    ],
  ])('counts as gained: %s', (_what, after, expected) => {
    expect(changes(after)).toEqual(expected);
  });

  it.each<[string, Parts, Parts, readonly string[]]>([
    [
      'a tool',
      {},
      withRemoval,
      [
        'lost | tool notes__remove of palette "reading" | is gone: notes.remove, command, DELETE /notes/:id, destructive',
      ],
    ],
    ['commands', {}, { palette: { readOnly: false } }, ['lost | palette "reading" | is read-only now']],
    [
      'operators of a field, and the field',
      { policy: { filterable: {} } },
      {},
      [`lost | ${tool} | policy: filters title with $eq, $like`],
    ],
    ['an argument', { tool: { arguments: { page: 'required' } } }, {}, [`lost | ${tool} | the argument "filter"`]],
    [
      'a way out',
      { egress: {} },
      {},
      ['lost | egress service "model" | is gone', 'lost | egress service "model" | operation send: POST /messages'],
    ],
  ])('counts as lost: %s', (_what, after, before, expected) => {
    expect(changes(after, before)).toEqual(expected);
  });

  it.each<[string, Parts, readonly string[]]>([
    [
      'a route',
      { operation: { route: 'POST /v2/notes/list' } },
      ['changed | operation notes.list (reading) | route: "POST /notes/list" -> "POST /v2/notes/list"'],
    ],
    [
      'a description, once, though the definition is another too',
      { operation: { description: 'All notes.' }, tool: { definition: 'sha256:8' } },
      [
        `changed | ${tool} | what a model is told is another`,
        'changed | operation notes.list (reading) | description: "List notes." -> "All notes."',
      ],
    ],
    [
      'a schema',
      { tool: { schema: 'sha256:8', definition: 'sha256:9' } },
      [`changed | ${tool} | input schema is another`],
    ],
    [
      'the allow-list',
      { palette: { include: ['notes.*'] } },
      ['changed | palette "reading" | allow-list: ["notes.list"] -> ["notes.*"]'],
    ],
    [
      'an operation that no palette holds',
      { operations: { 'notes.remove': removeOperation } },
      ['changed | operation notes.remove (in no palette) | is new'],
    ],
    [
      'the values of an enum, which the sentence alone has',
      { policy: { sentence: 'Other fields' } },
      [`changed | ${tool} | policy sentence: "Filterable fields" -> "Other fields"`],
    ],
    [
      'who accepted an egress',
      { egress: { model: { ...service, acknowledged: { by: 'me', on: '2026-01-31', reason: 'x' } } } },
      ['changed | egress service "model" | acknowledged: true -> {"by":"me","on":"2026-01-31","reason":"x"}'],
    ],
  ])('tells of %s', (_what, after, expected) => {
    expect(changes(after)).toEqual(expected);
  });

  it('takes names that objects inherit elsewhere for names', () => {
    const odd = JSON.parse(
      '{"__proto__": {"operation": "constructor", "annotations": {}, "arguments": {}}}',
    ) as Parts['tools'];
    expect(compareLocks(lock(), lock(odd && { tools: { ...odd, constructor: removal } }))).toContainEqual({
      effect: 'gained',
      at: 'tool constructor of palette "reading"',
      what: 'is new: notes.remove, destructive',
    });
  });

  it('finds nothing exactly where two locks are equal', () => {
    fc.assert(
      fc.property(locks(), locks(), fc.subarray([...PARTS]), (before, other, parts) => {
        const after = withPartsOf(before, other, parts);
        expect(compareLocks(before, after).length === 0).toBe(isDeepStrictEqual(before, after));
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds, the other way round, gains for losses', () => {
    fc.assert(
      fc.property(locks(), locks(), fc.subarray([...PARTS], { minLength: 1, maxLength: 1 }), (before, other, parts) => {
        const after = withPartsOf(before, other, parts);
        const effects = compareLocks(before, after).map(({ effect }) => effect);
        fc.pre(effects.length > 0 && effects.every((effect) => effect === 'lost'));
        expect(compareLocks(after, before).map(({ effect }) => effect)).not.toContain('lost');
      }),
      { numRuns: 100 },
    );
  });
});

const PARTS = ['operations', 'palettes', 'egress'] as const;

function withPartsOf(lock: PaletteLock, other: PaletteLock, parts: readonly (typeof PARTS)[number][]): PaletteLock {
  return parts.reduce((mixed, part) => ({ ...mixed, [part]: other[part] }), lock);
}

function locks(): fc.Arbitrary<PaletteLock> {
  const some = (...names: string[]) => fc.subarray(names, { minLength: 1 });
  const record = <Value>(value: fc.Arbitrary<Value>) =>
    fc.dictionary(fc.constantFrom('a', 'b'), value, { noNullPrototype: true, maxKeys: 2 });
  const policies = fc.record<PolicyLock>({
    sentence: fc.constantFrom('one', 'two'),
    filterable: record(some('$eq', '$like')),
    sortable: some('a', 'b'),
    aggregatable: record(some('group', '$sum')),
    returnable: some('a', 'b'),
    maxSize: fc.constantFrom(10, 20),
  });
  const tools = fc.record<ToolLock, 'operation' | 'annotations' | 'arguments' | 'schema' | 'definition'>(
    {
      operation: fc.constantFrom('a', 'b'),
      annotations: record(fc.boolean()),
      arguments: record(fc.constantFrom('required', 'optional')),
      policy: policies,
      schema: fc.constantFrom('1', '2'),
      definition: fc.constantFrom('1', '2'),
    },
    { requiredKeys: ['operation', 'annotations', 'arguments', 'schema', 'definition'] },
  );
  const lock = fc.record<PaletteLock>({
    lockfileVersion: fc.constant(1),
    operations: record(
      fc.record<OperationLock>({
        kind: fc.constantFrom('query', 'command'),
        route: fc.constantFrom('GET /a', 'GET /b'),
        description: fc.constantFrom('', 'x'),
        schema: fc.constantFrom('1', '2'),
      }),
    ),
    palettes: record(fc.record({ readOnly: fc.boolean(), include: some('a', 'b'), tools: record(tools) })),
    egress: record(
      fc.record<EgressLock>({
        origin: fc.constantFrom('https://a', 'https://b'),
        basePath: fc.constantFrom('/', '/v1'),
        sensitive: fc.boolean(),
        acknowledged: fc.boolean(),
        operations: record(fc.constantFrom('GET /a', 'GET /b')),
      }),
    ),
  });
  // As a file has it: without prototypes of the generator's making.
  return lock.map((each) => JSON.parse(JSON.stringify(each)) as PaletteLock);
}
