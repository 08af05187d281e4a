import {
  Catch,
  ForbiddenException,
  Injectable,
  StreamableFile,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';
import {
  AUTHORIZATION,
  callOf,
  challengeOf,
  METADATA,
  NotesController,
  serveProtected,
} from './support/protected-notes.js';
import { ERAS, messageIn } from './support/raw.js';
import { serve } from './support/applications.js';
import { opening, withHeaders } from './support/tool-calls.js';

/** What the guard of the endpoint refuses with; undefined: nothing. */
let refusal: unknown;

@Injectable()
class RefusingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { url } = context.switchToHttp().getRequest<{ url: string }>();
    if (refusal !== undefined && url.endsWith('/mcp')) throw new ForbiddenException(refusal);
    return true;
  }
}

/** Has words of its own for every refusal. */
@Catch(ForbiddenException)
class WordsFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: ForbiddenException, host: ArgumentsHost): void {
    const { code, details } = error.getResponse() as { code?: string; details?: unknown };
    const response = host.switchToHttp().getResponse<{ header(name: string, value: string): void }>();
    response.header('x-words', 'ours');
    this.host.httpAdapter.reply(response, { code, details, words: 'Ask somebody else.' }, 403);
  }
}

/** Has a challenge of its own. */
@Catch(ForbiddenException)
class StepUpFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: ForbiddenException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ header(name: string, value: string): void }>();
    response.header('www-authenticate', STEP_UP);
    this.host.httpAdapter.reply(response, error.getResponse(), 403);
  }
}

/** Answers with a stream, whose words nobody knows before they are sent. */
@Catch(ForbiddenException)
class StreamFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: ForbiddenException, host: ArgumentsHost): void {
    const stream = new StreamableFile(Buffer.from(JSON.stringify(error.getResponse())));
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), stream, 403);
  }
}

const STEP_UP = 'Bearer error="insufficient_user_authentication", acr_values="gold"';
const LACKING = {
  code: 'insufficient_scope',
  message: 'The endpoint is for writers.',
  details: { scopes: ['notes:write', 'not"a scope\r\nx: y'] },
};
const CHALLENGE = `Bearer error="insufficient_scope", scope="notes:write", resource_metadata="${METADATA}"`;
const OF_ALL = { providers: [{ provide: APP_GUARD, useClass: RefusingGuard }] };
const OF_THE_ENDPOINT = { decorators: [UseGuards(RefusingGuard)] };

describe.each(PLATFORMS)('a guard in front of the endpoint that wants more scopes, on %s', (platform) => {
  beforeEach(() => void (refusal = LACKING));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(ERAS)('in the era of %s', (era) => {
    const REQUESTS = [opening(era), withHeaders(callOf(era, 'notes__read'), { authorization: 'Bearer any' })];

    it.each([
      ['of the application', OF_ALL, {}],
      ['of the endpoint', {}, OF_THE_ENDPOINT],
    ])('has the client told which, and keeps its words: a guard %s', async (_what, metadata, route) => {
      const request = await serveProtected(platform, metadata, { authorization: AUTHORIZATION, ...route });
      for (const each of REQUESTS) {
        const answer = await request(each);
        expect([answer.status, challengeOf(answer)]).toEqual([403, CHALLENGE]);
        expect(JSON.parse(answer.text)).toEqual(LACKING);
        expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
      }
      refusal = undefined;
      for (const each of REQUESTS) {
        const answer = await request(each);
        expect([answer.status, messageIn(answer).error, challengeOf(answer)]).toEqual([200, undefined, undefined]);
      }
    });

    it.each([
      ['of the application', { providers: [...OF_ALL.providers, { provide: APP_FILTER, useClass: WordsFilter }] }, {}],
      ['of the endpoint', {}, { decorators: [UseGuards(RefusingGuard), UseFilters(WordsFilter)] }],
    ])('is put in the words of a filter %s', async (_what, metadata, route) => {
      const request = await serveProtected(platform, metadata, { authorization: AUTHORIZATION, ...route });
      const answer = await request(opening(era));
      expect([answer.status, challengeOf(answer), answer.headers['x-words']]).toEqual([403, CHALLENGE, 'ours']);
      expect(JSON.parse(answer.text)).toMatchObject({ words: 'Ask somebody else.' });
    });

    it('keeps a challenge of the application’s own, alone', async () => {
      const decorators = [UseGuards(RefusingGuard), UseFilters(StepUpFilter)];
      const request = await serveProtected(platform, {}, { authorization: AUTHORIZATION, decorators });
      const answer = await request(opening(era));
      expect([answer.status, challengeOf(answer)]).toEqual([403, STEP_UP]);
    });

    it.each([
      ['another code', { code: 'not_yours', message: 'No.' }],
      ['no code', 'No.'],
      ['scopes without the code', { details: { scopes: ['notes:write'] } }],
    ])('is one that says so: %s has no challenge', async (_what, other) => {
      refusal = other;
      const request = await serveProtected(platform, {}, { authorization: AUTHORIZATION, ...OF_THE_ENDPOINT });
      const answer = await request(opening(era));
      expect([answer.status, challengeOf(answer)]).toEqual([403, undefined]);
      expect(answer.text).toContain(typeof other === 'string' ? other : JSON.stringify(other));
    });

    it('is told of as it is where its words are a stream', async () => {
      const decorators = [UseGuards(RefusingGuard), UseFilters(StreamFilter)];
      const request = await serveProtected(platform, {}, { authorization: AUTHORIZATION, decorators });
      const answer = await request(opening(era));
      expect([answer.status, JSON.parse(answer.text)]).toEqual([403, LACKING]);
    });

    it('has no challenge added where the endpoint publishes nothing', async () => {
      const request = await serveProtected(platform, {}, OF_THE_ENDPOINT);
      const answer = await request(opening(era));
      expect([answer.status, challengeOf(answer), JSON.parse(answer.text)]).toEqual([403, undefined, LACKING]);
    });
  });

  it.each(CLIENTS)('is heard by a client: %s', async (kind) => {
    refusal = undefined;
    const mcp = { authorization: { ...AUTHORIZATION, resource: 'https://api.example.com/mcp' }, ...OF_THE_ENDPOINT };
    const { url } = await serve(platform, { controllers: [NotesController] }, { mcp });
    const { call } = await connect(kind, url, { authorization: 'Bearer any' });
    expect(await call('notes__read')).toMatchObject({ isError: false, structured: { notes: 1 } });
    refusal = LACKING;
    // Of the older client's own words only the status and the body are ours to say.
    const heard = kind.endsWith('client 2') ? 'Insufficient scope: required "notes:write"' : /insufficient_scope/;
    await expect(call('notes__read')).rejects.toThrow(heard);
  });
});
