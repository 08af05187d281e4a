import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServeOptions } from './support/applications.js';
import { closeClients } from './support/clients.js';
import { INITIALIZE, messageIn, modernBody, modernHeaders, send, type RawAnswer } from './support/raw.js';

const RESOURCE = 'https://api.example.com/api/mcp';
const METADATA = 'https://api.example.com/.well-known/oauth-protected-resource/api/mcp';
const AUTHORIZATION = {
  resource: RESOURCE,
  authorizationServers: ['https://auth.example.com'],
  scopes: ['notes:read'],
  resourceName: 'Notes',
};

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization?.startsWith('Bearer ') !== true) throw new UnauthorizedException('No token.');
    return true;
  }
}

@Injectable()
class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization === 'Bearer writer') return true;
    const details = { scopes: ['notes:read', 'notes:write', 'not"a scope\r\nx: y'] };
    throw new ForbiddenException({ code: 'insufficient_scope', message: 'This changes notes.', details });
  }
}

@Controller('notes')
@UseGuards(TokenGuard)
class NotesController {
  @Operation() @Get() read(): unknown {
    return { notes: 1 };
  }
  @Operation({ name: 'notes.write' }) @Get('write') @UseGuards(ScopeGuard) write(): unknown {
    return { written: true };
  }
}

const call = (tool: string) => ({
  modern: {
    headers: modernHeaders('tools/call', tool),
    body: modernBody('tools/call', { name: tool, arguments: {} }, 7),
  },
  legacy: {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: tool, arguments: {} } }),
  },
});

describe.each(PLATFORMS)('authorization of the MCP endpoint on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  const start = async (metadata: ModuleMetadata = {}, mcp: ServeOptions['mcp'] = { authorization: AUTHORIZATION }) => {
    const configure: ServeOptions['configure'] = (app) => app.setGlobalPrefix('api');
    const { base } = await serve(platform, { controllers: [NotesController], ...metadata }, { configure, mcp });
    return (request: { headers?: Record<string, string>; body?: string; method?: string; path?: string }) =>
      send(base, { path: '/api/mcp', ...request });
  };
  const withToken = (request: { headers: Record<string, string>; body: string }, token: string) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
  });
  const challengeOf = ({ headers }: RawAnswer) => headers['www-authenticate'];

  it('is told of at the root of the origin, to anybody', async () => {
    const request = await start({ providers: [{ provide: APP_GUARD, useClass: TokenGuard }] });
    const answer = await request({ method: 'GET', path: '/.well-known/oauth-protected-resource/api/mcp' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(JSON.parse(answer.text)).toEqual({
      resource: RESOURCE,
      authorization_servers: ['https://auth.example.com'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['notes:read'],
      resource_name: 'Notes',
    });
    expect((await request({ method: 'OPTIONS', path: '/.well-known/oauth-protected-resource/api/mcp' })).status).toBe(
      204,
    );
  });

  it('is not told of where there is none', async () => {
    const request = await start({}, {});
    const answer = await request({ method: 'GET', path: '/.well-known/oauth-protected-resource/api/mcp' });
    expect(answer.status).toBe(404);
  });

  describe.each(['modern', 'legacy'] as const)('for a message of the %s era', (era) => {
    it('challenges a caller without a token whose call the application turns away', async () => {
      const request = await start();
      const answer = await request(call('notes__read')[era]);
      expect(answer.status).toBe(401);
      expect(challengeOf(answer)).toBe(`Bearer scope="notes:read", resource_metadata="${METADATA}"`);
      expect(messageIn(answer)).toMatchObject({ id: 7, error: { data: { code: 'operation_unauthenticated' } } });
      expect((await request(withToken(call('notes__read')[era], 'any'))).status).toBe(200);
    });

    it('names the scopes that the application says are missing, and no header of somebody’s own', async () => {
      const request = await start();
      const answer = await request(withToken(call('notes__write')[era], 'reader'));
      expect(answer.status).toBe(403);
      expect(challengeOf(answer)).toBe(
        `Bearer error="insufficient_scope", scope="notes:read notes:write", resource_metadata="${METADATA}"`,
      );
      expect(messageIn(answer).error?.data).toEqual({ code: 'insufficient_scope' });
      const written = await request(withToken(call('notes__write')[era], 'writer'));
      expect([written.status, written.text.includes('"written":true')]).toEqual([200, true]);
    });
  });

  it.each([
    ['a global guard', { providers: [{ provide: APP_GUARD, useClass: TokenGuard }] }, {}],
    ['a guard of the endpoint', {}, { decorators: [UseGuards(TokenGuard)] }],
  ])('adds the challenge where %s turns the caller away', async (_what, metadata, route) => {
    const request = await start(metadata, { authorization: AUTHORIZATION, ...route });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await request({ headers, body: INITIALIZE });
    expect([answer.status, challengeOf(answer)]).toEqual([
      401,
      `Bearer scope="notes:read", resource_metadata="${METADATA}"`,
    ]);
    // In the words of the application.
    expect(JSON.parse(answer.text)).toMatchObject({ message: 'No token.' });
    const known = await request(withToken({ headers, body: INITIALIZE }, 'any'));
    expect([known.status, challengeOf(known)]).toEqual([200, undefined]);
  });

  it('keeps a guard of the endpoint to the endpoint', async () => {
    const request = await start({}, { decorators: [UseGuards(TokenGuard)] });
    const answer = await request(call('notes__read').modern);
    expect([answer.status, challengeOf(answer)]).toEqual([401, undefined]);
  });

  it('never hands the token to a client, nor to a log', async () => {
    const request = await start();
    for (const tool of ['notes__read', 'notes__write', 'notes__none']) {
      const answer = await request(withToken(call(tool).modern, 'secret-token'));
      expect(JSON.stringify(answer)).not.toContain('secret-token');
    }
  });
});
