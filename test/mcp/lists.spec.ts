import { Controller, HttpCode, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ListQueryBody, Operation, QueryPolicy, type ListQuery } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServeOptions } from './support/applications.js';
import { manyControllers } from './support/many-controllers.js';
import { ERAS, messageIn, rawRequest, send } from './support/raw.js';

@QueryPolicy<RowRead>({ filterable: ['title'], sortable: [], aggregatable: [] })
class RowRead {
  @IsString() title!: string;
}

/** So many controllers, each of a query: a prompt and a resource for each. */
function queryControllers(count: number) {
  return Array.from({ length: count }, (_, index) => {
    @Controller(`rows${index}`)
    class RowsController {
      @Operation({ name: `rows${index}.list`, kind: 'query' })
      @Post()
      @HttpCode(200)
      list(@ListQueryBody(RowRead) _query: ListQuery<RowRead>): RowRead[] {
        return [];
      }
    }
    return RowsController;
  });
}

const upTo = <T>(count: number, name: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => name(i));
const LISTS = { 'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources' } as const;
type ListMethod = keyof typeof LISTS;

describe.each(PLATFORMS)('lists over MCP on %s', (platform) => {
  afterEach(closeApplications);

  describe.each(ERAS)('of revision %s', (era) => {
    /** The names on each page, by following the cursors. */
    async function pages(base: string, method: ListMethod): Promise<string[][]> {
      const found: string[][] = [];
      let params: Record<string, string> = {};
      do {
        const { result = {} } = messageIn(await send(base, rawRequest(era, method, params)));
        found.push((result[LISTS[method]] as { name: string }[]).map(({ name }) => name));
        const { nextCursor } = result as { nextCursor?: string };
        params = nextCursor === undefined ? {} : { cursor: nextCursor };
      } while (params['cursor'] !== undefined && found.length < 20);
      return found;
    }

    it.each([
      ['a thousand, two hundred a page, where nothing else is said', 1_000, {}, [200, 200, 200, 200, 200]],
      ['as many a page as the application says', 30, { pageSize: 7 }, [7, 7, 7, 7, 2]],
      ['all on one page that just holds them', 30, { pageSize: 30 }, [30]],
    ])('hold tools: %s', async (_what, count, mcp, lengths) => {
      const { base } = await serve(platform, { controllers: manyControllers(count) }, { mcp });
      const found = await pages(base, 'tools/list');
      expect(found.map(({ length }) => length)).toEqual(lengths);
      expect(found.flat()).toEqual(upTo(count, (index) => `many${index}__read`));
    });

    it('hold prompts and resources a page each', async () => {
      const options: ServeOptions = { palette: { sharedFilterGrammar: true }, mcp: { pageSize: 1 } };
      const { base } = await serve(platform, { controllers: queryControllers(3) }, options);
      const tools = upTo(3, (index) => [`rows${index}__list`]);
      expect(await pages(base, 'tools/list')).toEqual(tools);
      expect(await pages(base, 'prompts/list')).toEqual(tools);
      const rows = tools.map(([name]) => [`rows of ${name}`]);
      expect(await pages(base, 'resources/list')).toEqual([['filter grammar'], ...rows]);
    });

    it.each(Object.keys(LISTS) as ListMethod[])('refuse in %s a cursor that is none of theirs', async (method) => {
      const { base } = await serve(platform, { controllers: queryControllers(2) });
      const told = async (cursor: string) => messageIn(await send(base, rawRequest(era, method, { cursor })));
      const cursorAt = (text: string) => Buffer.from(text).toString('base64url');
      expect((await told(cursorAt('after:1'))).result).toMatchObject({ [LISTS[method]]: [{}] });
      expect((await told(cursorAt('after:2'))).result).toMatchObject({ [LISTS[method]]: [] });
      const past = ['after:3', 'after:999999999', 'after:9999999999'].map(cursorAt);
      const none = [
        '',
        'no cursor of ours',
        ...['after:', 'after:-1', 'after:1e0', 'after:1 ', 'before:1'].map(cursorAt),
      ];
      for (const cursor of [...past, ...none]) {
        expect([cursor, await told(cursor)]).toEqual([
          cursor,
          {
            jsonrpc: '2.0',
            id: 1,
            error: {
              code: -32_602,
              message: 'The cursor is not one of this list. Start from the first page.',
              data: { code: 'mcp_cursor_invalid' },
            },
          },
        ]);
      }
    });
  });

  // Only this revision knows of caches.
  it.each([
    ['everybody', {}],
    ['some', { visible: () => true }],
  ])('are kept by no cache, where they are shown to %s', async (_whom, palette) => {
    const { base } = await serve(platform, { controllers: queryControllers(1) }, { palette });
    const uri = 'palette://all/rows/rows0.list';
    const listed = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'server/discover'];
    const requests = [
      ...listed.map((method) => [method, rawRequest('2026-07-28', method)] as const),
      ['resources/read', rawRequest('2026-07-28', 'resources/read', { uri }, uri)] as const,
    ];
    for (const [method, request] of requests) {
      const { ttlMs, cacheScope } = messageIn(await send(base, request)).result ?? {};
      expect([method, ttlMs, cacheScope]).toEqual([method, 0, 'private']);
    }
  });
});
