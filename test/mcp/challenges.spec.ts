import {
  Catch,
  Injectable,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../support/application.js';
import {
  AUTHORIZATION,
  callOf,
  challengeOf,
  METADATA,
  serveProtected,
  TokenGuard,
  withToken,
} from './support/protected-notes.js';
import { ERAS, INITIALIZE, LEGACY_HEADERS, rawRequest, type Era } from './support/raw.js';

const OURS = `Bearer scope="notes:read", resource_metadata="${METADATA}"`;
const THEIRS = 'DPoP algs="ES256"';

/** Says by itself what it wants. */
@Injectable()
class DpopGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context
      .switchToHttp()
      .getResponse<{ header(name: string, value: string): void }>()
      .header('www-authenticate', THEIRS);
    throw new UnauthorizedException('No proof.');
  }
}

/** Puts what is wrong in other words, and another shape. */
@Catch(UnauthorizedException)
class PlainFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(_error: unknown, host: ArgumentsHost): void {
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { fault: 'who are you' }, 401);
  }
}

/** The first message of a client. */
function opening(era: Era) {
  return era === '2026-07-28'
    ? rawRequest(era, 'server/discover')
    : { headers: { ...LEGACY_HEADERS }, body: INITIALIZE };
}

describe.each(PLATFORMS)('a guard in front of the MCP endpoint on %s', (platform) => {
  afterEach(closeApplications);

  describe.each(ERAS)('for a message of revision %s', (era) => {
    it.each([
      ['a global guard', { providers: [{ provide: APP_GUARD, useClass: TokenGuard }] }, {}],
      ['a guard of the endpoint', {}, { decorators: [UseGuards(TokenGuard)] }],
    ])('has the challenge added where it turns the caller away: %s', async (_what, metadata, route) => {
      const request = await serveProtected(platform, metadata, { authorization: AUTHORIZATION, ...route });
      const answer = await request(opening(era));
      expect([answer.status, challengeOf(answer)]).toEqual([401, OURS]);
      // In the words of the application.
      expect(JSON.parse(answer.text)).toMatchObject({ message: 'No token.' });
      const known = await request(withToken(opening(era), 'any'));
      expect([known.status, challengeOf(known)]).toEqual([200, undefined]);
    });

    it('keeps the words of the application’s filter', async () => {
      const decorators = [UseGuards(TokenGuard), UseFilters(PlainFilter)];
      const request = await serveProtected(platform, {}, { authorization: AUTHORIZATION, decorators });
      const answer = await request(opening(era));
      expect([answer.status, challengeOf(answer)]).toEqual([401, OURS]);
      expect(JSON.parse(answer.text)).toEqual({ fault: 'who are you' });
    });

    it('keeps a challenge of the application’s own, alone', async () => {
      const decorators = [UseGuards(DpopGuard)];
      const request = await serveProtected(platform, {}, { authorization: AUTHORIZATION, decorators });
      const answer = await request(withToken(opening(era), 'any'));
      expect([answer.status, challengeOf(answer)]).toEqual([401, THEIRS]);
      expect(JSON.parse(answer.text)).toMatchObject({ message: 'No proof.' });
    });

    it('has no challenge added where the endpoint publishes nothing', async () => {
      const request = await serveProtected(platform, {}, { decorators: [UseGuards(TokenGuard)] });
      const answer = await request(callOf(era, 'notes__read'));
      expect([answer.status, challengeOf(answer)]).toEqual([401, undefined]);
    });

    it('is in front of the endpoint only', async () => {
      const request = await serveProtected(platform, {}, { decorators: [UseGuards(DpopGuard)] });
      expect((await request(withToken(callOf(era, 'notes__read'), 'any'))).status).toBe(401);
      const direct = await request({ method: 'GET', path: '/api/notes', headers: { authorization: 'Bearer any' } });
      expect([direct.status, direct.text]).toEqual([200, '{"notes":1}']);
    });
  });
});
