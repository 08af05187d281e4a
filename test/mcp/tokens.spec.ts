import { Body, Controller, Get, Headers, HttpCode, Injectable, Post, UseGuards } from '@nestjs/common';
import { IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  bearer,
  EgressClient,
  EgressHttpModule,
  egressOperation,
  egressService,
  InjectEgress,
  Operation,
  type EgressServiceOptions,
} from 'nestjs-palette';
import { json, startUpstream, type Upstream } from '../egress/support/upstream.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve } from './support/applications.js';
import { AUTHORIZATION, TokenGuard } from './support/protected-notes.js';
import { ERAS, messageIn, rawRequest, send, type Era } from './support/raw.js';
import { recordingLogger } from './support/recording-logger.js';

class WordDto {
  @IsString() word!: string;
}
class Translation {
  @IsString() text!: string;
}

const translate = egressOperation({
  name: 'translate',
  method: 'POST',
  path: '/v1/translate',
  args: WordDto,
  returns: Translation,
});
const translator = egressService({ name: 'translator', operations: [translate] });

const seen: (string | undefined)[] = [];

@Injectable()
class Translations {
  constructor(@InjectEgress(translator) private readonly client: EgressClient<typeof translator>) {}

  async of(word: string): Promise<unknown> {
    const { text } = await this.client.invoke(translate, { word });
    return { text };
  }
}

@Controller('words')
@UseGuards(TokenGuard)
class WordsController {
  constructor(private readonly translations: Translations) {}

  @Operation({ kind: 'query', description: 'Translates a word, by a service.' })
  @Post('translate')
  @HttpCode(200)
  translate(@Body() { word }: WordDto, @Headers('authorization') authorization?: string): Promise<unknown> {
    seen.push(authorization);
    return this.translations.of(word);
  }

  @Operation({ description: 'Breaks.' })
  @Get('broken')
  broken(): void {
    throw new Error('no such table');
  }
}

const TOKEN = 'token-of-ada';

describe.each(PLATFORMS)('the token of a caller over MCP on %s', (platform) => {
  const { logger, records } = recordingLogger();
  let upstream: Upstream;

  beforeEach(async () => {
    seen.length = 0;
    records.length = 0;
    upstream = await startUpstream(json({ text: 'Wort' }));
  });
  afterEach(async () => {
    await closeApplications();
    await upstream.close();
  });

  async function start(service: Partial<EgressServiceOptions> = {}) {
    const services = { translator: { baseUrl: upstream.origin, ...service } };
    const imports = [EgressHttpModule.forRoot({ services }), EgressHttpModule.forFeature([translator])];
    const application = { imports, controllers: [WordsController], providers: [Translations] };
    const { base } = await serve(platform, application, {
      configure: (app) => app.useLogger(logger),
      mcp: { authorization: AUTHORIZATION },
    });
    return (era: Era, method: string, params: Record<string, unknown>, name?: string) => {
      const { headers, body } = rawRequest(era, method, params, name);
      return send(base, { headers: { ...headers, authorization: `Bearer ${TOKEN}` }, body });
    };
  }

  const word = { name: 'words__translate', arguments: { word: 'word' } };

  describe.each(ERAS)('for a message of revision %s', (era) => {
    it.each([
      ['with a key of its own', { credentials: bearer(() => 'key-of-the-service') }, 'Bearer key-of-the-service'],
      ['without a key', {}, undefined],
    ])('goes to the application, and to no service that a tool calls: %s', async (_what, service, key) => {
      const request = await start(service);
      const answer = messageIn(await request(era, 'tools/call', word, word.name));
      expect(answer.result).toMatchObject({ structuredContent: { text: 'Wort' } });
      expect(seen).toEqual([`Bearer ${TOKEN}`]);
      expect(upstream.requests).toMatchObject([{ method: 'POST', url: '/v1/translate', body: '{"word":"word"}' }]);
      expect(upstream.requests[0]?.headers['authorization']).toBe(key);
      expect(JSON.stringify(upstream.requests)).not.toContain(TOKEN);
    });

    it('is in no answer and in no log, whatever becomes of the call', async () => {
      const request = await start();
      upstream.answer(json({ fault: 'overloaded' }, 500));
      const told = [
        await request(era, 'tools/call', word, word.name),
        await request(era, 'tools/call', { name: 'words__broken', arguments: {} }, 'words__broken'),
        await request(era, 'tools/call', { name: 'words__none', arguments: {} }, 'words__none'),
        await request(era, 'tools/call', { ...word, arguments: { word: 7 } }, word.name),
        await request(era, 'tools/call', { ...word, arguments: 'none' }, word.name),
        await request(era, 'tools/list', { cursor: 'none' }),
        await request(era, 'no/such', {}),
      ];
      expect(told.map(({ text }) => /"(isError|error)":/.test(text))).toEqual(told.map(() => true));
      expect(JSON.stringify(told)).not.toContain(TOKEN);
      expect(seen).toEqual([`Bearer ${TOKEN}`]);
      expect(upstream.requests).not.toEqual([]);
      // That this logger hears of faults makes its silence about the token say something.
      expect(records.join('\n')).toContain('no such table');
      expect(records.join('\n')).not.toContain(TOKEN);
    });
  });
});
