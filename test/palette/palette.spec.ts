import { Controller, Get, Post, type ModuleMetadata } from '@nestjs/common';
import { IsString, IsUUID } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AggregateQueryBody,
  getPaletteToken,
  InMemoryQueryExecutor,
  ListQueryBody,
  narrowedPolicy,
  Operation,
  operation,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  PaletteBootError,
  QueryPolicy,
  Sensitive,
  toPage,
  type AggregateQuery,
  type CallerContext,
  type ListQuery,
  type Palette,
  type PaletteOptions,
  type ToolResult,
} from 'nestjs-palette';
import { bootApplication, closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { catchError } from '../support/catch-error.js';

@QueryPolicy<NoteRead>({ filterable: ['title', 'category'], sortable: ['title'], aggregatable: ['category'] })
class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() category!: string;
  @IsString() body!: string;
}

const NOTES: readonly NoteRead[] = [
  { id: '7b0d2f34-7d0b-4f5e-9d39-000000000001', title: 'a', category: 'x', body: 'secret one' },
  { id: '7b0d2f34-7d0b-4f5e-9d39-000000000002', title: 'b', category: 'y', body: 'secret two' },
];

@Controller('notes')
class NotesController {
  readonly #executor = new InMemoryQueryExecutor<NoteRead>();

  @Operation({ kind: 'query', description: 'List notes by filters and sorts (offset pagination).' })
  @Post('list')
  async list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>): Promise<unknown> {
    return toPage(query, await this.#executor.list(query, NOTES));
  }

  @Operation({ kind: 'query', description: 'Aggregate notes.' })
  @Post('aggregate')
  aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>): unknown {
    return this.#executor.aggregate(query, NOTES);
  }

  @Operation()
  @Post('purge')
  purge(): void {}

  @Operation({ sensitive: true })
  @Get('secrets')
  secrets(): void {}

  helper(): void {}
}

const RECIPE_SENTENCE =
  'Filterable fields — $eq, $ilike, $in, $like, $neq, $nin, $null, $regex on every field; string: category, title. ' +
  'Sortable by: title. Aggregatable by: category.';

function application(palettes: readonly PaletteOptions[], controllers = [NotesController]): ModuleMetadata {
  return { imports: [OperationsModule.forRoot({}), OperationsModule.forFeature({ palettes })], controllers };
}

describe.each(PLATFORMS)('palettes on %s', (platform) => {
  afterEach(closeApplications);

  async function paletteOf(options: PaletteOptions): Promise<Palette> {
    const app = await bootApplication(platform, application([options]));
    return app.get<Palette>(getPaletteToken(options.name), { strict: false });
  }

  it('tells a model what it may ask, in the sentence of the policy', async () => {
    const palette = await paletteOf({ name: 'answering', include: ['notes.list', 'notes.aggregate'] });
    expect(palette.definitions.map(({ name, description }) => [name, description])).toEqual([
      ['notes__list', `List notes by filters and sorts (offset pagination). ${RECIPE_SENTENCE}`],
      ['notes__aggregate', `Aggregate notes. ${RECIPE_SENTENCE}`],
    ]);
    expect(palette.definitions[0]?.annotations).toEqual({ readOnly: true, destructive: false, idempotent: false });
  });

  it('keeps the order of the allow-list, and counts a repeated entry once', async () => {
    const include = ['notes.aggregate', operation(NotesController, 'list'), operationsUnder('notes.l'), 'notes.list'];
    const palette = await paletteOf({ name: 'answering', include });
    expect(palette.definitions.map(({ name }) => name)).toEqual(['notes__aggregate', 'notes__list']);
  });

  it('is frozen', async () => {
    const palette = await paletteOf({ name: 'answering', include: ['notes.list'] });
    expect(Object.isFrozen(palette)).toBe(true);
    expect(Object.isFrozen(palette.definitions)).toBe(true);
    expect(Object.isFrozen(palette.definitions[0]?.inputSchema.properties)).toBe(true);
  });

  it('holds commands where it asks for them', async () => {
    const palette = await paletteOf({ name: 'acting', readOnly: false, include: ['notes.purge'] });
    expect(palette.definitions.map(({ name }) => name)).toEqual(['notes__purge']);
  });

  it.each<[string, Partial<PaletteOptions>, string, RegExp]>([
    ['nothing', { include: [] }, 'palette_allowlist_empty', /Palette "p" includes nothing/],
    ['no list', { include: undefined as never }, 'palette_allowlist_empty', /Palette "p" includes nothing/],
    ['an unknown operation', { include: ['notes.lost'] }, 'palette_operation_unknown', /"notes.lost".*notes.list/],
    ['an inherited name', { include: ['constructor'] }, 'palette_operation_unknown', /"constructor"/],
    ['a prefix of nothing', { include: [operationsUnder('math.')] }, 'palette_operation_unknown', /"math.\*"/],
    [
      'a method that is no operation',
      { include: [operation(NotesController, 'helper')] },
      'palette_operation_unknown',
      /NotesController.helper/,
    ],
    ['a command while read-only', { include: ['notes.purge'] }, 'palette_command_in_read_only', /"notes.purge"/],
    ['a sensitive operation', { include: ['notes.secrets'] }, 'palette_operation_sensitive', /"notes.secrets"/],
    ['a name with a space', { name: 'my palette', include: ['notes.list'] }, 'palette_name_invalid', /"my palette"/],
    [
      'a wider policy',
      { include: ['notes.list'], queryPolicies: [narrowedPolicy(NoteRead, { filterable: ['title', 'body'] })] },
      'palette_policy_widens',
      /NoteRead.*body/,
    ],
  ])('does not boot with %s', async (_what, options, code, message) => {
    const error = await catchError(() =>
      bootApplication(platform, application([{ name: 'p', include: [], ...options }])),
    );
    expect(PaletteBootError.isInstance(error) && error.faults.map((fault) => fault.code)).toEqual([code]);
    expect(error.message).toMatch(message);
  });

  it('tells every fault of every palette at once', async () => {
    const palettes = [
      { name: 'one', include: [] },
      { name: 'two', include: ['notes.lost', 'notes.purge'] },
      { name: 'two', include: ['notes.list'] },
    ];
    const error = await catchError(() => bootApplication(platform, application(palettes)));
    expect(PaletteBootError.isInstance(error) && error.faults.map((fault) => fault.code)).toEqual([
      'palette_allowlist_empty',
      'palette_operation_unknown',
      'palette_command_in_read_only',
      'palette_name_collision',
    ]);
  });

  it('holds no read model that is marked sensitive, as a whole or in a field', async () => {
    @Sensitive('pii')
    class PersonRead {
      @IsString() name!: string;
    }
    class AccountRead {
      @IsString() number!: string;
      @Sensitive('secret') @IsString() pin!: string;
    }
    @Controller('people')
    class PeopleController {
      @Operation({ kind: 'query' }) @Post('list') list(
        @ListQueryBody(PersonRead) query: ListQuery<PersonRead>,
      ): unknown {
        return query;
      }
      @Operation({ kind: 'query' }) @Post('accounts') accounts(@ListQueryBody(AccountRead) query: object): unknown {
        return query;
      }
    }
    const palette = { name: 'p', include: ['people.list', 'people.accounts'] };
    const error = await catchError(() =>
      bootApplication(platform, application([palette], [PeopleController as never])),
    );
    expect(PaletteBootError.isInstance(error) && error.faults).toMatchObject([
      {
        code: 'palette_operation_sensitive',
        message: expect.stringContaining('reads PersonRead, which is marked sensitive (pii)'),
      },
      { code: 'palette_operation_sensitive', message: expect.stringContaining('reads AccountRead.pin') },
    ]);
  });

  it('shows a caller what is visible to it, and dispatches no other of what it shows', async () => {
    const visible = async ({ name }: { name: string }, { headers }: CallerContext) =>
      name === 'notes.list' || headers['x-role'] === 'analyst';
    const app = await bootApplication(
      platform,
      application([{ name: 'p', include: ['notes.list', 'notes.aggregate'], visible }]),
    );
    const palette = app.get<Palette>(getPaletteToken('p'), { strict: false });
    const reader = await palette.visibleTo({ headers: {} });
    const analyst = await palette.visibleTo({ headers: { 'x-role': 'analyst' } });
    expect(reader.definitions.map(({ name }) => name)).toEqual(['notes__list']);
    expect(analyst.toMcp().map(({ name }) => name)).toEqual(['notes__list', 'notes__aggregate']);
    expect(palette.definitions).toHaveLength(2);
    const call = { id: '1', name: 'notes__aggregate', arguments: { $computed: { n: { $count: null } } } };
    const run = (shown: Palette) =>
      app.get(OperationDispatcher).dispatch(call, { palette: shown, caller: { headers: {} } });
    expect(await run(reader)).toMatchObject({ isError: true, content: { code: 'tool_unknown' } });
    expect(await run(analyst)).toMatchObject({ isError: false });
  });

  describe('a narrowed policy', () => {
    const NARROWED: PaletteOptions = {
      name: 'narrow',
      include: ['notes.list', 'notes.aggregate'],
      queryPolicies: [
        narrowedPolicy(NoteRead, {
          filterable: { title: ['$eq'] },
          aggregatable: [],
          returnable: ['id', 'title'],
        }),
      ],
    };

    it('is advertised', async () => {
      const palette = await paletteOf(NARROWED);
      const [list] = palette.definitions;
      expect(list?.description).toBe(
        'List notes by filters and sorts (offset pagination). Filterable fields — $eq on every field; string: title. ' +
          'Sortable by: title.',
      );
      expect(JSON.stringify(list?.inputSchema)).not.toMatch(/category|\$like/);
    });

    it('leaves out what it takes away altogether', async () => {
      const palette = await paletteOf({
        ...NARROWED,
        queryPolicies: [narrowedPolicy(NoteRead, { filterable: [], sortable: [] })],
      });
      const names = palette.definitions.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
      expect(names[0]).toEqual(['page', 'size', 'select']);
      expect(names[1]).not.toContain('filters');
      expect(JSON.stringify(palette.definitions[0]?.inputSchema)).not.toContain('Filter');
    });

    it('is enforced, for this palette only', async () => {
      const wide: PaletteOptions = { name: 'wide', include: ['notes.list'] };
      const app = await bootApplication(platform, application([NARROWED, wide]));
      const list = (name: string, field: string): Promise<ToolResult> =>
        app
          .get(OperationDispatcher)
          .dispatch(
            { id: '1', name: 'notes__list', arguments: { filters: { $values: { [field]: 'x' } } } },
            { palette: app.get<Palette>(getPaletteToken(name), { strict: false }), caller: { headers: {} } },
          );
      expect(await list('narrow', 'category')).toMatchObject({
        isError: true,
        content: { code: 'field_not_filterable' },
      });
      expect(await list('narrow', 'title')).toMatchObject({ isError: false });
      expect(JSON.stringify(await list('narrow', 'title'))).not.toContain('secret');
      expect(await list('wide', 'category')).toMatchObject({ isError: false, content: { count: 1 } });
    });
  });
});

it('gives names that every provider takes, which depend on nothing else', async () => {
  await expectNames('express', {
    'notes.list': 'notes__list',
    'admin.tools.list': 'admin__tools__list',
    'ünïcode name/slash': '_n_code_name_slash',
    [`${'o'.repeat(60)}.one`]: expect.stringMatching(/^o{55}_[0-9a-f]{8}$/),
    [`${'o'.repeat(60)}.two`]: expect.stringMatching(/^o{55}_[0-9a-f]{8}$/),
  });
  await closeApplications();
});

async function expectNames(platform: Platform, names: Readonly<Record<string, unknown>>): Promise<void> {
  class NamedController {}
  Object.keys(names).forEach((name, index) => {
    const descriptor = { value: () => undefined, configurable: true, writable: true, enumerable: false };
    Object.defineProperty(NamedController.prototype, `method${index}`, descriptor);
    Get(`${index}`)(NamedController.prototype, `method${index}`, descriptor);
    Operation({ name })(NamedController.prototype, `method${index}`, descriptor);
  });
  Controller('named')(NamedController);
  const all = { name: 'all', include: Object.keys(names) };
  const app = await bootApplication(platform, application([all], [NamedController as never]));
  const told = app.get<Palette>(getPaletteToken('all'), { strict: false }).definitions.map(({ name }) => name);
  expect(told).toEqual(Object.values(names));
  expect(new Set(told).size).toBe(told.length);
  for (const name of told) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
}
