import { APP_GUARD } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { McpModule } from 'nestjs-palette/mcp';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { SERVER_INFO } from './support/applications.js';
import {
  AUTHORIZATION,
  callOf,
  challengeOf,
  METADATA,
  RESOURCE,
  serveProtected,
  TokenGuard,
  withToken,
} from './support/protected-notes.js';
import { ERAS, messageIn } from './support/raw.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

describe.each(PLATFORMS)('authorization of the MCP endpoint on %s', (platform) => {
  afterEach(closeApplications);

  it('is told of at the root of the origin, to anybody', async () => {
    const request = await serveProtected(platform, { providers: [{ provide: APP_GUARD, useClass: TokenGuard }] });
    const answer = await request({ method: 'GET', path: `${WELL_KNOWN}/api/mcp` });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(JSON.parse(answer.text)).toEqual({
      resource: RESOURCE,
      authorization_servers: ['https://auth.example.com'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['notes:read'],
      resource_name: 'Notes',
    });
    expect((await request({ method: 'OPTIONS', path: `${WELL_KNOWN}/api/mcp` })).status).toBe(204);
  });

  it('is not told of where there is none', async () => {
    const request = await serveProtected(platform, {}, {});
    expect((await request({ method: 'GET', path: `${WELL_KNOWN}/api/mcp` })).status).toBe(404);
  });

  describe.each(ERAS)('for a message of revision %s', (era) => {
    it('challenges a caller without a token whose call the application turns away', async () => {
      const request = await serveProtected(platform);
      const answer = await request(callOf(era, 'notes__read'));
      expect(answer.status).toBe(401);
      expect(challengeOf(answer)).toBe(`Bearer scope="notes:read", resource_metadata="${METADATA}"`);
      expect(messageIn(answer)).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: {
          code: -32_600,
          message: 'The application did not accept who is calling.',
          data: { code: 'operation_unauthenticated' },
        },
      });
      expect((await request(withToken(callOf(era, 'notes__read'), 'any'))).status).toBe(200);
    });

    it('names the scopes that the application says are missing, and no header of somebody’s own', async () => {
      const request = await serveProtected(platform);
      const answer = await request(withToken(callOf(era, 'notes__write'), 'reader'));
      expect(answer.status).toBe(403);
      expect(challengeOf(answer)).toBe(
        `Bearer error="insufficient_scope", scope="notes:read notes:write", resource_metadata="${METADATA}"`,
      );
      expect(messageIn(answer)).toMatchObject({ id: 7, error: { data: { code: 'insufficient_scope' } } });
      const written = await request(withToken(callOf(era, 'notes__write'), 'writer'));
      expect([written.status, written.text.includes('"written":true')]).toEqual([200, true]);
    });

    it('challenges where it publishes nothing, without saying where to go', async () => {
      const request = await serveProtected(platform, {}, {});
      const unknown = await request(callOf(era, 'notes__read'));
      expect([unknown.status, challengeOf(unknown)]).toEqual([401, 'Bearer']);
      const lacking = await request(withToken(callOf(era, 'notes__write'), 'reader'));
      expect([lacking.status, challengeOf(lacking)]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="notes:read notes:write"',
      ]);
      expect(messageIn(lacking).error).toMatchObject({ code: -32_600, data: { code: 'insufficient_scope' } });
    });

    it.each(['https://api.example.com', 'https://api.example.com/'])(
      'is at the root where the resource is: %s',
      async (resource) => {
        const request = await serveProtected(platform, {}, { authorization: { ...AUTHORIZATION, resource } });
        const metadata = await request({ method: 'GET', path: WELL_KNOWN });
        expect(JSON.parse(metadata.text)).toMatchObject({ resource });
        expect(challengeOf(await request(callOf(era, 'notes__read')))).toBe(
          `Bearer scope="notes:read", resource_metadata="https://api.example.com${WELL_KNOWN}"`,
        );
      },
    );

    it('is each endpoint’s own where there are two', async () => {
      const authorization = {
        resource: 'https://admin.example.com/api/admin/mcp',
        authorizationServers: ['https://staff.example.com'],
      };
      const options = { path: '/admin/mcp', palette: 'all', serverInfo: SERVER_INFO, authorization };
      const request = await serveProtected(platform, { imports: [McpModule.forRoot(options)] });
      const told = async (path: string) => ({
        servers: (
          JSON.parse((await request({ method: 'GET', path: `${WELL_KNOWN}${path}` })).text) as Record<string, unknown>
        )['authorization_servers'],
        challenge: challengeOf(await request({ ...callOf(era, 'notes__read'), path })),
      });
      expect(await told('/api/mcp')).toEqual({
        servers: ['https://auth.example.com'],
        challenge: `Bearer scope="notes:read", resource_metadata="${METADATA}"`,
      });
      expect(await told('/api/admin/mcp')).toEqual({
        servers: ['https://staff.example.com'],
        challenge: `Bearer resource_metadata="https://admin.example.com${WELL_KNOWN}/api/admin/mcp"`,
      });
    });
  });
});
