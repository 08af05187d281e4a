import { Controller, Delete, Get, Param, Post, Put, Body, Query } from '@nestjs/common';
import { Matches } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  getPaletteToken,
  Operation,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type Palette,
  type ToolResult,
} from 'nestjs-palette';
import { bootApplication, closeApplications, PLATFORMS, type Platform } from '../../support/application.js';

class NoteDto {
  @Matches(/^(?!draft)/) title!: string;
}

@Controller('notes')
class NotesController {
  @Operation({ description: 'Read a note.' }) @Get(':id') read(@Param('id') id: string): unknown {
    return { id };
  }
  @Operation({ description: 'Search.' }) @Get() search(
    @Query('filter[id]') id?: string,
    @Query('$top') top?: number,
  ): unknown {
    return { id, top };
  }
  @Operation() @Post() create(@Body() note: NoteDto): unknown {
    return note;
  }
  @Operation() @Put(':id') replace(): void {}
  @Operation() @Delete(':id') remove(): void {}
}

async function boot(platform: Platform): Promise<{
  palette: Palette;
  call: (name: string, args: unknown) => Promise<ToolResult>;
}> {
  const palettes = [{ name: 'all', readOnly: false, include: [operationsUnder('')] }];
  const app = await bootApplication(platform, {
    imports: [OperationsModule.forRoot({}), OperationsModule.forFeature({ palettes })],
    controllers: [NotesController],
  });
  const palette = app.get<Palette>(getPaletteToken('all'), { strict: false });
  const dispatcher = app.get(OperationDispatcher);
  return {
    palette,
    call: (name, args) => dispatcher.dispatch({ id: '1', name, arguments: args }, { palette, caller: { headers: {} } }),
  };
}

const READ_SCHEMA = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};

describe('a palette in the format of a provider', () => {
  afterEach(closeApplications);

  it('is what each of them documents', async () => {
    const { palette } = await boot('express');
    expect(palette.toOpenAI()[0]).toEqual({
      type: 'function',
      function: { name: 'notes__read', description: 'Read a note.', parameters: READ_SCHEMA },
    });
    expect(palette.toOpenAI({ strict: true })[0]).toEqual({
      type: 'function',
      function: { name: 'notes__read', description: 'Read a note.', parameters: READ_SCHEMA, strict: true },
    });
    expect(palette.toAnthropic()[0]).toEqual({
      name: 'notes__read',
      description: 'Read a note.',
      input_schema: READ_SCHEMA,
    });
    expect(palette.toMcp()[0]).toEqual({
      name: 'notes__read',
      title: 'notes.read',
      description: 'Read a note.',
      inputSchema: READ_SCHEMA,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    });
    expect(palette.toMcp().map((tool) => [tool.name, tool.annotations])).toEqual([
      ['notes__read', { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
      ['notes__search', { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
      ['notes__create', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
      ['notes__replace', { readOnlyHint: false, destructiveHint: false, idempotentHint: true }],
      ['notes__remove', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ]);
    const { notes__read: read } = palette.toAiSdk();
    expect(read?.inputSchema.jsonSchema).toEqual(READ_SCHEMA);
    expect(Object.keys(palette.toAiSdk())).toEqual(palette.definitions.map(({ name }) => name));
  });

  it.each<[string, (palette: Palette) => unknown]>([
    ['toOpenAI()', (palette) => palette.toOpenAI()],
    ['toOpenAI({ strict })', (palette) => palette.toOpenAI({ strict: true })],
    ['toAnthropic()', (palette) => palette.toAnthropic()],
    ['toMcp()', (palette) => palette.toMcp()],
    ['toAiSdk()', (palette) => Object.values(palette.toAiSdk()).map((tool) => [tool, tool.inputSchema.jsonSchema])],
  ])('is the caller’s own: what is done to %s is not seen by the next', async (_format, told) => {
    const { palette } = await boot('express');
    const before = JSON.stringify(told(palette));
    ruin(told(palette));
    expect(JSON.stringify(told(palette))).toBe(before);
  });

  it('has no pattern that a provider refuses the request for, and tells it in words', async () => {
    const { palette } = await boot('express');
    const create = palette.toOpenAI()[2]?.function.parameters.properties?.['title'];
    expect(create).toEqual({ type: 'string', description: 'Must match ^(?!draft).' });
    expect(palette.definitions[2]?.inputSchema.properties?.['title']).toEqual({
      type: 'string',
      pattern: '^(?!draft)',
    });
  });
});

/** Changes everything that can be changed. */
function ruin(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.values(value).forEach(ruin);
  for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
}

describe.each(PLATFORMS)('arguments whose names not every provider takes, on %s', (platform) => {
  afterEach(closeApplications);

  it('have others where a provider would refuse them, and are found by both', async () => {
    const { palette, call } = await boot(platform);
    const names = (schema: { properties?: object } | undefined): string[] => Object.keys(schema?.properties ?? {});
    expect(names(palette.toAnthropic()[1]?.input_schema)).toEqual(['filter_id_', 'top']);
    expect(names(palette.toMcp()[1]?.inputSchema)).toEqual(['filter_id_', 'top']);
    expect(names(palette.toAiSdk()['notes__search']?.inputSchema.jsonSchema)).toEqual(['filter_id_', 'top']);
    expect(names(palette.toOpenAI()[1]?.function.parameters)).toEqual(['filter[id]', '$top']);
    for (const args of [
      { filter_id_: 'a', top: 3 },
      { 'filter[id]': 'a', $top: 3 },
      { filter_id_: 'a', $top: 3 },
    ]) {
      expect(await call('notes__search', args)).toMatchObject({ isError: false, content: { id: 'a' } });
    }
  });

  it('are refused where both names are given, and where the other one belongs to another tool', async () => {
    const { call } = await boot(platform);
    for (const [name, args] of [
      ['notes__search', { top: 1, $top: 2 }],
      ['notes__read', { id: 'a', top: 1 }],
    ] as const) {
      expect(await call(name, args)).toMatchObject({ isError: true, content: { code: 'tool_arguments_unknown' } });
    }
  });
});
