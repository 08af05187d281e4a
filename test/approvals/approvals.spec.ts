import type { Server } from 'node:http';
import { Body, Controller, Delete, HttpCode, Param, ParseIntPipe, Post, type INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IsInt, Max } from 'class-validator';
import {
  ApprovalsModule,
  ApprovalsService,
  Caller,
  IdempotencyKey,
  Operation,
  OperationDispatcher,
  publicApprovals,
  type ApprovalsModuleOptions,
  type CallerContext,
  type DispatchContext,
  type Principal,
} from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';

const ran: unknown[] = [];
let isStrict = true;

class RefundDto {
  @IsInt() @Max(500) amount!: number;
}

@Controller('orders')
class OrdersController {
  @Operation({ approval: 'pays money back' })
  @Post(':id/refund')
  @HttpCode(200)
  refund(
    @Param('id', ParseIntPipe) id: number,
    @Body() { amount }: RefundDto,
    @Caller() { headers }: CallerContext,
    @IdempotencyKey() key: string | undefined,
  ): unknown {
    ran.push({ id, amount, by: headers['x-user'], key });
    return { refunded: amount };
  }

  @Operation({ approval: ({ id }) => (Number(id) > 100 ? 'a large order' : false) })
  @Delete(':id')
  @HttpCode(200)
  remove(@Param('id', ParseIntPipe) id: number): unknown {
    ran.push({ removed: id });
    return { removed: id };
  }

  @Operation({ approval: () => (isStrict ? 'for now' : false) })
  @Post('relaxed')
  @HttpCode(200)
  relaxed(): unknown {
    ran.push('relaxed');
    return {};
  }

  @Operation({
    approval: () => {
      throw new Error('secret of the rule');
    },
  })
  @Post('broken')
  broken(): void {
    ran.push('broken');
  }
}

/** Whoever the header names; `x-user: ada@north`. */
function principal({ headers }: CallerContext): Principal | undefined {
  const [subject, tenant] = (headers['x-user'] ?? '').split('@');
  return subject === undefined || subject === '' ? undefined : { subject, tenant, scopes: [`role-of-${subject}`] };
}

const caller = (user: string): CallerContext => ({ headers: { 'x-user': user } });
const refund = { id: 'call-1', name: 'orders__refund', arguments: { id: 7, amount: 50 } };

interface Approving extends Dispatching {
  readonly service: ApprovalsService;
  propose(user?: string): Promise<string>;
  decide(user: string, id: string, body: object): request.Test;
  run(id: string, context?: Partial<DispatchContext>): Promise<{ isError: boolean; content: unknown }>;
}

async function boot(platform: Platform, options: Partial<ApprovalsModuleOptions> = {}): Promise<Approving> {
  const approvals = ApprovalsModule.forRoot({ authorizer: publicApprovals(), principal, ...options });
  const context = await bootDispatching(
    platform,
    { imports: [approvals], controllers: [OrdersController] },
    { dispatch: { forwardHeaders: ['x-user'] } },
  );
  const { app, palette } = context;
  const service = app.get(ApprovalsService, { strict: false });
  return {
    ...context,
    service,
    async propose(user = 'ada@north') {
      const by = principal(caller(user)) as Principal;
      const proposed = await service.propose(refund, { palette, caller: caller(user), principal: by });
      if (proposed.kind !== 'waiting') throw new Error(`it is ${proposed.kind}`);
      return proposed.approval.approvalId;
    },
    decide: (user, id, body) => request(server(app)).post(`/approvals/${id}/decision`).set('x-user', user).send(body),
    run: (approvalId, more = {}) =>
      app.get(OperationDispatcher).dispatch(refund, { palette, caller: caller('ada@north'), approvalId, ...more }),
  };
}

function server(app: INestApplication): Server {
  return app.getHttpServer() as Server;
}

async function shown(context: Approving, id: string, user = 'ben@north'): Promise<string> {
  const { body } = await request(server(context.app)).get(`/approvals/${id}`).set('x-user', user).expect(200);
  return (body as { argumentsHash: string }).argumentsHash;
}

beforeEach(() => void (ran.length = 0));
afterEach(closeApplications);

describe.each(PLATFORMS)('a call that a person must approve, on %s', (platform) => {
  it('does not boot where nothing keeps approvals, nor where nobody says who may decide', async () => {
    await expect(bootDispatching(platform, { controllers: [OrdersController] })).rejects.toThrow(
      /\[approval_gate_missing\] Palette "all" holds orders\.refund/,
    );
    await expect(boot(platform, { authorizer: undefined as never })).rejects.toThrow('[approval_authorizer_missing]');
  });

  it('is refused without an approval, whatever the caller says it has, and runs nothing', async () => {
    const context = await boot(platform);
    const dispatcher = context.app.get(OperationDispatcher);
    const base = { palette: context.palette, caller: caller('ada@north') };
    const forged = { operation: 'orders.refund', argumentsHash: 'x'.repeat(64) };
    for (const [more, code] of [
      [{}, 'approval_required'],
      [{ grant: forged }, 'approval_required'],
      [{ approvalId: '5b0b1b1e-0000-4000-8000-000000000000' }, 'approval_unknown'],
    ] as const) {
      await expect(dispatcher.dispatch(refund, { ...base, ...more })).resolves.toMatchObject({
        isError: true,
        content: { code },
      });
    }
    expect(ran).toEqual([]);
  });

  it('runs once when it was approved, with the key of its attempts, and answers the same again', async () => {
    const context = await boot(platform);
    const id = await context.propose();
    await expect(context.run(id)).resolves.toMatchObject({ content: { code: 'approval_required' } });
    const argumentsHash = await shown(context, id);
    await context.decide('ben@north', id, { verdict: 'approve', argumentsHash, comment: 'fine' }).expect(200);
    const results = await Promise.all([context.run(id), context.run(id), context.run(id)]);
    const done = results.filter(({ isError }) => !isError);
    expect(done.length).toBeGreaterThan(0);
    await expect(context.run(id)).resolves.toMatchObject({ isError: false, content: { refunded: 50 } });
    expect(ran).toEqual([{ id: 7, amount: 50, by: 'ada@north', key: expect.any(String) as unknown }]);
  });

  it('is not run when it was denied, and the model is told so', async () => {
    const context = await boot(platform);
    const id = await context.propose();
    await context.decide('ben@north', id, { verdict: 'deny', argumentsHash: await shown(context, id) }).expect(200);
    await expect(context.run(id)).resolves.toMatchObject({ isError: true, content: { code: 'approval_denied' } });
    expect(ran).toEqual([]);
  });

  it('is decided once: a repeat is answered alike, and another is told who won', async () => {
    const context = await boot(platform);
    const id = await context.propose();
    const argumentsHash = await shown(context, id);
    const approve = { verdict: 'approve', argumentsHash };
    await context.decide('ben@north', id, approve).expect(200);
    const again = await context.decide('ben@north', id, approve).expect(200);
    expect(again.body).toMatchObject({ outcome: 'repeated' });
    const late = await context.decide('eve@north', id, { verdict: 'deny', argumentsHash }).expect(409);
    expect(late.body).toMatchObject({
      code: 'approval_conflict',
      details: { state: 'approved', by: 'ben', verdict: 'approve' },
    });
  });

  it('is not decided by its requester, by a stranger, without a role, or by what was not shown', async () => {
    const context = await boot(platform, { operations: { 'orders.refund': { roles: ['role-of-ben'] } } });
    const id = await context.propose();
    const argumentsHash = await shown(context, id);
    const approve = { verdict: 'approve', argumentsHash };
    for (const [user, status, body, code] of [
      ['ada@north', 403, approve, 'approval_requester_refused'],
      ['eve@north', 403, approve, 'approval_role_missing'],
      ['ben@south', 404, approve, 'approval_unknown'],
      ['', 401, approve, 'approval_principal_missing'],
      ['ben@north', 409, { ...approve, argumentsHash: '0'.repeat(64) }, 'approval_stale'],
      ['ben@north', 400, { ...approve, by: 'ada' }, 'approval_decision_invalid'],
      ['ben@north', 400, { verdict: 'approve' }, 'approval_decision_invalid'],
    ] as const) {
      const answer = await context.decide(user, id, body);
      expect([user, answer.status, (answer.body as { code: string }).code]).toEqual([user, status, code]);
    }
    await context.decide('ben@north', id, approve).expect(200);
    expect(ran).toEqual([]);
  });

  it('runs with the arguments that a person gave it instead, and the model is told', async () => {
    const context = await boot(platform);
    const id = await context.propose();
    const argumentsHash = await shown(context, id);
    const unfit = { verdict: 'approve', argumentsHash, arguments: { id: 7, amount: 'all' } };
    await context.decide('ben@north', id, unfit).expect(400);
    const edited = { verdict: 'approve', argumentsHash, arguments: { id: 7, amount: 20 } };
    const { body } = await context.decide('ben@north', id, edited).expect(200);
    expect(body).toMatchObject({ approval: { originalArguments: '{"id":7,"amount":50}' } });
    const result = await context.run(id);
    expect(result.isError).toBe(false);
    expect(JSON.stringify(result.content)).toMatch(/person/);
    expect(ran).toEqual([{ id: 7, amount: 20, by: 'ada@north', key: expect.any(String) as unknown }]);
  });

  it('is for its requester, its tool and its arguments only', async () => {
    const context = await boot(platform);
    const id = await context.propose();
    await context.decide('ben@north', id, { verdict: 'approve', argumentsHash: await shown(context, id) }).expect(200);
    const dispatcher = context.app.get(OperationDispatcher);
    const other = { ...refund, arguments: { id: 7, amount: 499 } };
    const as = (user: string) => ({ palette: context.palette, caller: caller(user), approvalId: id });
    await expect(dispatcher.dispatch(other, as('ada@north'))).resolves.toMatchObject({
      content: { code: 'approval_mismatch' },
    });
    await expect(dispatcher.dispatch(refund, as('eve@north'))).resolves.toMatchObject({
      content: { code: 'approval_unknown' },
    });
    expect(ran).toEqual([]);
  });

  it('expires', async () => {
    const context = await boot(platform, { expiresInMs: 1 });
    const id = await context.propose();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { body } = await request(server(context.app)).get(`/approvals/${id}`).set('x-user', 'ben@north');
    const { argumentsHash } = body as { argumentsHash: string };
    await context.decide('ben@north', id, { verdict: 'approve', argumentsHash }).expect(403);
    await expect(context.run(id)).resolves.toMatchObject({ content: { code: 'approval_expired' } });
    expect(ran).toEqual([]);
  });

  it('is found in the list and has a history', async () => {
    const context = await boot(platform);
    const id = await context.propose();
    const get = (path: string, user: string) =>
      request(server(context.app)).get(`/approvals${path}`).set('x-user', user);
    const own = await get('?state=pending&operation=orders.refund', 'ben@north').expect(200);
    expect(own.body).toMatchObject({ approvals: [{ approvalId: id, reason: 'pays money back', state: 'pending' }] });
    expect((await get('', 'ben@south').expect(200)).body).toMatchObject({ approvals: [] });
    await get('?state=maybe', 'ben@north').expect(400);
    await get(`/${id}/history`, 'ben@north').expect(200);
    await get(`/${id}/history`, 'ben@south').expect(404);
  });

  it('is proposed at once where the module says so, and answered when it comes again', async () => {
    const context = await boot(platform, { proposeUnasked: true });
    const dispatch = () =>
      context.app.get(OperationDispatcher).dispatch(refund, { palette: context.palette, caller: caller('ada@north') });
    const first = await dispatch();
    const { approvalId } = (first.content as { details: { approvalId: string } }).details;
    expect((await dispatch()).content).toMatchObject({ code: 'approval_required', details: { approvalId } });
    const argumentsHash = await shown(context, approvalId);
    await context.decide('ben@north', approvalId, { verdict: 'approve', argumentsHash }).expect(200);
    await expect(dispatch()).resolves.toMatchObject({ isError: false, content: { refunded: 50 } });
    expect(ran).toHaveLength(1);
  });
});

describe.each(PLATFORMS)('a rule of approval, on %s', (platform) => {
  it('lets a call pass that it has no reason against, and no other', async () => {
    const { call } = await boot(platform);
    await expect(call('orders__remove', { id: 7 })).resolves.toMatchObject({ isError: false });
    await expect(call('orders__remove', { id: 700 })).resolves.toMatchObject({
      isError: true,
      content: { code: 'approval_required', details: { reasons: ['a large order'] } },
    });
    expect(ran).toEqual([{ removed: 7 }]);
  });

  it('that does not hold any more leaves what was proposed to be approved and run once', async () => {
    const { app, palette, service } = await boot(platform);
    const call = { id: 'call-1', name: 'orders__relaxed', arguments: {} };
    const context = { palette, caller: caller('ada@north') };
    isStrict = true;
    const proposed = await service.propose(call, { ...context, principal: principal(context.caller) as Principal });
    const { approvalId, argumentsHash } = (proposed as { approval: { approvalId: string; argumentsHash: string } })
      .approval;
    isStrict = false;
    const run = () => app.get(OperationDispatcher).dispatch(call, { ...context, approvalId });
    await expect(run()).resolves.toMatchObject({ isError: true, content: { code: 'approval_required' } });
    await service.decide({ subject: 'ben', tenant: 'north' }, approvalId, { verdict: 'approve', argumentsHash });
    await expect(run()).resolves.toMatchObject({ isError: false });
    await expect(run()).resolves.toMatchObject({ isError: false });
    expect(ran).toEqual(['relaxed']);
  });

  it('that throws lets nothing pass', async () => {
    const { call } = await boot(platform);
    const error = await catchError(() => call('orders__broken'));
    expect(error).toMatchObject({ code: 'approval_gate_failed' });
    expect((error as Error).message).not.toContain('secret');
    expect(ran).toEqual([]);
  });

  it('does not touch plain HTTP, and is told to the model', async () => {
    const { app, palette } = await boot(platform);
    await request(server(app)).post('/orders/7/refund').send({ amount: 5 }).expect(200);
    expect(ran).toHaveLength(1);
    expect(palette.entry('orders__refund')?.definition.description).toContain('A person must approve each call.');
    expect(palette.entry('orders__remove')?.definition.description).toContain('A person may have to approve');
  });
});
