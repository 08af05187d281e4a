import { afterEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  getPaletteToken,
  narrowedPolicy,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type Palette,
  type PaletteOptions,
  type ToolResult,
} from 'nestjs-palette';
import { JwtService } from '@nestjs/jwt';
import { AppModule } from '../../../sample/00-query-agent/app.module.js';
import { USERS } from '../../../sample/00-query-agent/auth/users.js';
import { NoteRead } from '../../../sample/00-query-agent/notes/note.read.js';
import { bootApplication, closeApplications, PLATFORMS, type Platform } from '../../support/application.js';

const ALL: PaletteOptions = { name: 'all', include: [operationsUnder('')] };
const SHARED: PaletteOptions = { ...ALL, name: 'shared', sharedFilterGrammar: true };
const NARROW: PaletteOptions = {
  ...SHARED,
  name: 'narrow',
  queryPolicies: [narrowedPolicy(NoteRead, { filterable: { title: ['$eq'] } })],
};

const VISIBLE: PaletteOptions = {
  ...SHARED,
  name: 'visible',
  visible: (operation, caller) => operation.name.startsWith(`${caller.headers['who'] as string}.`),
};

interface Booted {
  palette(name: string): Palette;
  call(palette: string, name: string, args: unknown): Promise<ToolResult>;
}

async function boot(platform: Platform): Promise<Booted> {
  const app = await bootApplication(platform, {
    imports: [
      AppModule.register({ acknowledgeDataEgress: true }),
      OperationsModule.forFeature({ palettes: [ALL, SHARED, NARROW, VISIBLE] }),
    ],
  });
  const authorization = `Bearer ${await app.get(JwtService, { strict: false }).signAsync({ ...USERS.ada })}`;
  const palette = (name: string): Palette => app.get<Palette>(getPaletteToken(name), { strict: false });
  return {
    palette,
    call: (name, tool, args) =>
      app
        .get(OperationDispatcher)
        .dispatch(
          { id: '1', name: tool, arguments: args },
          { palette: palette(name), caller: { headers: { authorization } } },
        ),
  };
}

describe.each(PLATFORMS)('a shared filter grammar, on %s', (platform) => {
  afterEach(closeApplications);

  it('stands beside the definitions, each of which points to it', async () => {
    const { palette } = await boot(platform);
    expect(palette('all').filterGrammar).toBeUndefined();
    const { filterGrammar, definitions } = palette('shared');
    const [list] = definitions;
    const pointer = { type: 'object', description: 'Written as NoteReadFilter of the filter grammar.' };
    expect(list?.inputSchema.properties?.['filters']).toEqual(pointer);
    expect(list?.inputSchema.$defs).not.toHaveProperty('NoteReadFilter');
    expect(filterGrammar?.text).toMatch(/filter grammar/);
    expect(Object.keys(filterGrammar?.schema.$defs ?? {})).toEqual(
      expect.arrayContaining(['NoteReadFilter', 'FilmReadFilter']),
    );
    expect(Object.isFrozen(filterGrammar?.schema.$defs)).toBe(true);
  });

  it('says of a filter what each definition said by itself', async () => {
    const { palette } = await boot(platform);
    const whole = palette('all').definitions[0]?.inputSchema.$defs ?? {};
    const grammar = palette('shared').filterGrammar?.schema.$defs ?? {};
    for (const name of ['NoteReadFilter', 'NoteRead_string']) expect(grammar[name]).toEqual(whole[name]);
    const ajv = new Ajv2020({ strict: true });
    const validate = ajv.compile({ $defs: grammar, $ref: '#/$defs/NoteReadFilter' });
    expect(validate({ $or: [{ $values: { title: 'a' } }, { $not: { $values: { category: ['x'] } } }] })).toBe(true);
    expect(validate({ $values: { body: 'a' } })).toBe(false);
    for (const { inputSchema } of palette('shared').definitions) ajv.compile(inputSchema);
  });

  it('makes what a model is told shorter, in every format', async () => {
    const { palette } = await boot(platform);
    const [whole, shared] = [palette('all').estimate(), palette('shared').estimate()];
    const definitions = (name: string): number => JSON.stringify(palette(name).definitions).length;
    expect(definitions('shared')).toBeLessThan(definitions('all') / 2);
    expect(shared.tokens).toBeLessThan(whole.tokens * 0.8);
    expect(shared.filterGrammar?.tokens).toBeGreaterThan(0);
    for (const told of [
      (each: Palette) => each.toOpenAI(),
      (each: Palette) => each.toAnthropic(),
      (each: Palette) => each.toMcp(),
      (each: Palette) => Object.values(each.toAiSdk()).map((tool) => tool.inputSchema.jsonSchema),
    ]) {
      const length = (name: string): number => JSON.stringify(told(palette(name))).length;
      expect(length('shared')).toBeLessThan(length('all') / 2);
    }
  });

  it('is the narrowed one where the palette narrows', async () => {
    const { palette } = await boot(platform);
    const grammar = JSON.stringify(palette('narrow').filterGrammar?.schema.$defs?.['NoteReadFilter']);
    expect(grammar).toContain('title');
    expect(grammar).not.toMatch(/category|\$like/);
  });

  it('changes nothing of what is enforced', async () => {
    const { call } = await boot(platform);
    const list = (palette: string, field: string, condition: unknown): Promise<ToolResult> =>
      call(palette, 'notes__list', { filters: { $values: { [field]: condition } } });
    for (const palette of ['all', 'shared']) {
      expect(await list(palette, 'category', 'home')).toMatchObject({ isError: false, content: { count: 2 } });
      expect(await list(palette, 'body', 'x')).toMatchObject({ content: { code: 'field_not_filterable' } });
      expect(await list(palette, 'title', { $eq: 1 })).toMatchObject({ content: { code: 'filter_operand_invalid' } });
    }
    expect(await list('narrow', 'title', 'Plumber')).toMatchObject({ content: { count: 1 } });
    expect(await list('narrow', 'category', 'home')).toMatchObject({ content: { code: 'field_not_filterable' } });
  });

  it('is shown to a caller as far as the tools are', async () => {
    const { palette } = await boot(platform);
    const names = async (who: string): Promise<string[]> => {
      const { filterGrammar } = await palette('visible').visibleTo({ headers: { who } });
      return Object.keys(filterGrammar?.schema.$defs ?? {});
    };
    expect(await names('notes')).toEqual(expect.arrayContaining(['NoteReadFilter', 'NoteRead_string']));
    expect((await names('notes')).join()).not.toContain('Film');
    expect(await names('films')).toContain('FilmReadFilter');
    expect((await names('films')).join()).not.toContain('NoteReadFilter');
    expect(await names('nothing')).toEqual([]);
  });

  it('is a free object to strict mode', async () => {
    const { palette } = await boot(platform);
    expect(palette('shared').strictObstacles.get('notes__list')).toEqual([
      '/filters is an object whose keys are free.',
    ]);
  });
});
