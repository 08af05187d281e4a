import type { INestApplication } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootApplication, closeApplications, listen, PLATFORMS } from '../../test/support/application.js';
import { USERS } from '../00-query-agent/auth/users.js';
import { AppModule } from './app.module.js';
import { visit, type Visit } from './ask-notes.js';

describe.each(PLATFORMS)('sample 05, notes for any MCP client, on %s', (platform) => {
  let app: INestApplication;
  let url: string;

  beforeEach(async () => {
    app = await bootApplication(platform, { imports: [AppModule] });
    url = `${await listen(app)}/mcp`;
  });
  afterEach(closeApplications);

  async function visitAs(who: keyof typeof USERS, mode: 'auto' | 'legacy'): Promise<Visit> {
    const token = await app.get(JwtService, { strict: false }).signAsync({ ...USERS[who] });
    return visit(url, token, mode);
  }

  describe.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const)('for a client that negotiates "%s"', (mode, expected) => {
    it('lists the tools, and answers', async () => {
      const { revision, tools, instructions, list, aggregate } = await visitAs('ada', mode);
      expect(revision).toBe(expected);
      expect(tools).toEqual(['notes__list', 'notes__aggregate']);
      expect(instructions).toMatch(/^Notes of everybody in the house\.\n\nThe filter grammar/);
      expect(list.structuredContent).toMatchObject({ count: 2, hits: [{ category: 'home' }, { category: 'home' }] });
      expect(JSON.stringify(aggregate.structuredContent)).toContain('{"category":"work","notes":3}');
    });

    it('refuses the second user what the guard refuses over HTTP', async () => {
      const { list, aggregate } = await visitAs('ben', mode);
      expect(list.isError).not.toBe(true);
      expect(aggregate).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"forbidden"') }] });
    });

    it('turns away who has no token', async () => {
      await expect(visit(url, 'none', mode)).rejects.toThrow(/401|[Uu]nauthorized|not accept/);
    });
  });
});
