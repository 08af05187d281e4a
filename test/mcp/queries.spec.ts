import { Controller, HttpCode, Post } from '@nestjs/common';
import { Exclude } from 'class-transformer';
import { IsInt, IsString, IsUUID } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AggregateQueryBody,
  getPaletteToken,
  InMemoryQueryExecutor,
  ListQueryBody,
  Operation,
  QueryPolicy,
  toPage,
  type AggregateQuery,
  type CallerContext,
  type ListQuery,
  type Page,
  type Palette,
} from 'nestjs-palette';
import { catchError } from '../support/catch-error.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServeOptions } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

@QueryPolicy<NoteRead>({
  filterable: ['title', 'stars'],
  sortable: ['title'],
  aggregatable: ['title'],
  returnable: ['id', 'title'],
})
class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() secret!: string;
  @IsInt() stars!: number;
}

/** Says nothing of what may be returned: that is all there is to read. */
@QueryPolicy<DraftRead>({ filterable: ['title'], sortable: [], aggregatable: [] })
class DraftRead {
  @IsString() title!: string;
  @IsInt() length!: number;
  @Exclude() @IsString() author!: string;
  @Exclude({ toPlainOnly: true }) @IsString() reviewer!: string;
}

@QueryPolicy<SalaryRead>({ filterable: ['amount'], sortable: [], aggregatable: [] })
class SalaryRead {
  @IsInt() amount!: number;
}

const ROWS: NoteRead[] = [
  { id: '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d', title: 'a', secret: 's', stars: 1 },
  { id: '3c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d', title: 'b', secret: 't', stars: 2 },
];

@Controller('notes')
class NotesController {
  readonly #executor = new InMemoryQueryExecutor<NoteRead>();

  @Operation({ kind: 'query', description: 'List notes.' })
  @Post('list')
  @HttpCode(200)
  async list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>): Promise<Page<NoteRead>> {
    return toPage(query, await this.#executor.list(query, ROWS));
  }

  @Operation({ kind: 'query', description: 'Aggregate notes.' })
  @Post('aggregate')
  @HttpCode(200)
  aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>): Promise<Record<string, unknown>[]> {
    return this.#executor.aggregate(query, ROWS);
  }
}

@Controller('drafts')
class DraftsController {
  @Operation({ kind: 'query', description: 'List drafts.' })
  @Post('list')
  @HttpCode(200)
  list(@ListQueryBody(DraftRead) _query: ListQuery<DraftRead>): DraftRead[] {
    return [];
  }
}

@Controller('salaries')
class SalariesController {
  @Operation({ kind: 'query', description: 'List salaries.', sensitive: true })
  @Post('list')
  @HttpCode(200)
  list(@ListQueryBody(SalaryRead) _query: ListQuery<SalaryRead>): SalaryRead[] {
    return [];
  }
}

const INCLUDE = ['notes.list', 'notes.aggregate'];
const ROWS_OF_NOTES = 'palette://all/rows/notes.list';
const GRAMMAR = 'palette://all/filter-grammar';

describe.each(PLATFORMS)('a palette that queries, over MCP on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  const start = (palette: ServeOptions['palette'] = {}) =>
    serve(
      platform,
      { controllers: [NotesController, DraftsController, SalariesController] },
      {
        palette: { include: INCLUDE, sharedFilterGrammar: true, ...palette },
        mcp: { instructions: 'Notes of everybody.' },
      },
    );

  describe.each(CLIENTS)('for %s', (kind) => {
    it('tells the policy in the description, and answers queries under it', async () => {
      const { url } = await start();
      const client = await connect(kind, url);
      const [list] = await client.tools();
      expect(list?.description).toMatch(
        /^List notes\. Filterable fields — .*: title; .*: stars\. Sortable by: title\./,
      );
      const answer = await client.call('notes__list', { filters: { $values: { title: 'b' } } });
      expect(answer.structured).toMatchObject({ hits: [{ id: ROWS[1]?.id, title: 'b' }], count: 1 });
      expect(answer.text).not.toContain('secret');
      const refused = await client.call('notes__list', { filters: { $values: { secret: 's' } } });
      expect(refused).toMatchObject({ isError: true, code: 'field_not_filterable' });
    });

    it('tells the filter grammar once: in the instructions, and as a resource', async () => {
      const { url, app } = await start();
      const { client, instructions } = await connect(kind, url);
      const grammar = app.get<Palette>(getPaletteToken('all'), { strict: false }).filterGrammar;
      expect(instructions).toBe(`Notes of everybody.\n\n${grammar?.text}\n${JSON.stringify(grammar?.schema)}`);
      const { contents } = await client.readResource({ uri: GRAMMAR });
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(grammar?.schema);
    });

    it('tells what rows are made of, and nothing of what they may not hold', async () => {
      const { url } = await start();
      const { client } = await connect(kind, url);
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual([GRAMMAR, ROWS_OF_NOTES]);
      const { contents } = await client.readResource({ uri: ROWS_OF_NOTES });
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'NoteRead',
        type: 'object',
        properties: { id: { type: 'string', format: 'uuid' }, title: { type: 'string' } },
      });
      expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    });

    it('tells nothing of what a read model keeps to itself', async () => {
      const { url } = await start({ include: ['drafts.list'] });
      const { client, tools } = await connect(kind, url);
      const { contents } = await client.readResource({ uri: 'palette://all/rows/drafts.list' });
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'DraftRead',
        type: 'object',
        properties: { title: { type: 'string' }, length: { type: 'integer' } },
      });
      expect(JSON.stringify(await tools())).not.toMatch(/author|reviewer/);
    });

    it.each([
      'palette://all/rows/salaries.list',
      'palette://other/filter-grammar',
      'file:///etc/passwd',
      'palette://all/rows/none',
    ])('refuses the resource %s, sensitive or not there', async (uri) => {
      const { url } = await start();
      const { client } = await connect(kind, url);
      const error = await catchError(() => client.readResource({ uri }));
      expect(error).toMatchObject({ code: -32_602 });
      expect(error.message).toContain('No resource of that URI is available.');
    });

    it('has a prompt for each query tool, made of its definition and the grammar', async () => {
      const { url, app } = await start();
      const { client } = await connect(kind, url);
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['notes__list', 'notes__aggregate']);
      const { messages } = await client.getPrompt({ name: 'notes__list', arguments: { question: 'Which are best?' } });
      const text = (messages[0]?.content as { text: string }).text;
      const palette = app.get<Palette>(getPaletteToken('all'), { strict: false });
      expect(text).toContain('Answer this with the tool notes__list: Which are best?');
      expect(text).toContain(palette.definitions[0]?.description);
      expect(text).toContain(JSON.stringify(palette.filterGrammar?.schema));
      for (const [params, code] of [
        [{ name: 'salaries__list', arguments: { question: 'How much?' } }, 'mcp_prompt_unknown'],
        [{ name: 'notes__list', arguments: {} }, 'mcp_prompt_arguments_invalid'],
      ] as const) {
        expect(await catchError(() => client.getPrompt(params))).toMatchObject({ code: -32_602, data: { code } });
      }
    });

    it('shows of all this what the caller sees', async () => {
      const visible = ({ name }: { name: string }, { headers }: CallerContext): boolean =>
        name !== 'notes.list' || headers['authorization'] !== undefined;
      const { url } = await start({ visible });
      const { client, instructions } = await connect(kind, url);
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['notes__aggregate']);
      expect((await client.listResources()).resources.map(({ uri }) => uri)).not.toContain(ROWS_OF_NOTES);
      await expect(client.readResource({ uri: ROWS_OF_NOTES })).rejects.toMatchObject({ code: -32_602 });
      const known = await connect(kind, url, { authorization: 'Bearer x' });
      expect((await known.client.listResources()).resources.map(({ uri }) => uri)).toContain(ROWS_OF_NOTES);
      expect(known.instructions).toContain('filter grammar');
      expect(instructions).toContain('Notes of everybody.');
    });
  });
});
