import {
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Principal } from 'nestjs-palette';
import { bootApproving, REFUND } from '../approvals/support/approving.js';
import { personOf } from '../approvals/support/people.js';
import { send } from '../mcp/support/raw.js';
import { closeApplications, listen, PLATFORMS, type Platform } from '../support/application.js';

// What a form of any page can send, with the cookies of whoever looks at it: an approval of theirs would have been one click.

/** A session as an application of pages has it: the browser sends it along, whoever's page it is. */
@Injectable()
class CookieGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: { cookie?: string }; user?: Principal }>();
    const person = personOf(request.headers.cookie?.replace('session=', ''));
    if (person === undefined) throw new UnauthorizedException();
    request.user = person;
    return true;
  }
}

/** Parsers that read every body, whatever it says that it is: the application's own affair. */
function readAnything(app: INestApplication, platform: Platform): void {
  if (platform === 'express') (app as NestExpressApplication).useBodyParser('json', { type: () => true });
  else (app as NestFastifyApplication).useBodyParser('*', {}, (_request, body, done) => done(null, jsonIn(body)));
}

function jsonIn(body: string | Buffer): object {
  return JSON.parse(String(body)) as object;
}

const TYPES = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain; application/json',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'text/json',
  '',
  undefined,
] as const;

describe.each(PLATFORMS)('the routes of approvals, on %s', (platform) => {
  afterEach(closeApplications);

  const boot = async (configure?: (app: INestApplication) => void) => {
    const approving = await bootApproving(platform, {
      approvals: { guards: [CookieGuard] },
      ...(configure && { configure }),
    });
    const base = await listen(approving.app);
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    const post = async (path: string, type: string | undefined, body: string) => {
      const headers = { cookie: 'session=cleo', ...(type !== undefined && { 'content-type': type }) };
      const { status, text } = await send(base, { path: `/approvals/${path}`, headers, body });
      return { status, code: text === '' ? undefined : (JSON.parse(text) as { code?: string }).code };
    };
    const decision = { verdict: 'approve', argumentsHash: approval.argumentsHash };
    return {
      state: async () => (await approving.store.approval(approval.approvalId))?.state,
      decide: (type: string | undefined, body = JSON.stringify(decision)) =>
        post(`${approval.approvalId}/decision`, type, body),
      form: new URLSearchParams(decision).toString(),
      acknowledge: (type: string | undefined) =>
        post('unknown-calls/acknowledge', type, JSON.stringify({ conversationId: 'c', callId: 'c' })),
    };
  };

  it('take no form for a decision', async () => {
    const { decide, form, state } = await boot();
    expect(await decide('application/x-www-form-urlencoded', form)).toEqual({
      status: 415,
      code: 'approval_body_type',
    });
    expect(await state()).toBe('pending');
  });

  it.each(TYPES)('refuse bodies of type %s with 415, and do nothing', async (type) => {
    const { decide, acknowledge, state } = await boot();
    const [decided, acknowledged] = [await decide(type), await acknowledge(type)];
    expect([decided.status, acknowledged.status, await state()]).toEqual([415, 415, 'pending']);
    // What Fastify has no parser for it refuses itself, in its own words.
    const isOurs = platform === 'express' || /^text\/plain|urlencoded$/.test(type ?? '');
    const code = isOurs ? 'approval_body_type' : undefined;
    expect([decided.code, acknowledged.code]).toEqual([code, code]);
  });

  it.each(TYPES)('refuse bodies of type %s also where a parser of the application reads them', async (type) => {
    const { decide, acknowledge, state } = await boot((app) => readAnything(app, platform));
    // An empty type is one that Fastify takes for broken, whatever parsers there are.
    const isBroken = platform === 'fastify' && type === '';
    const refused = { status: 415, code: isBroken ? undefined : 'approval_body_type' };
    expect([await decide(type), await acknowledge(type), await state()]).toEqual([refused, refused, 'pending']);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.desk+json'])(
    'take bodies of type %s, which a page may send only where the application lets it',
    async (type) => {
      const { decide, acknowledge, state } = await boot((app) => readAnything(app, platform));
      expect(await acknowledge(type)).toEqual({ status: 404, code: 'call_not_unknown' });
      expect((await decide(type)).status).toBe(200);
      expect(await state()).toBe('approved');
    },
  );
});
