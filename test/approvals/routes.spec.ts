import { Module, VersioningType } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApprovalsModule,
  ApprovalsService,
  InMemoryAgentStore,
  OperationsModule,
  operationsUnder,
  publicApprovals,
  type ApprovalRecord,
} from 'nestjs-palette';
import request from 'supertest';
import { bootApplication, closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { authorizer, bootApproving, REFUND, type Approving } from './support/approving.js';
import { disabled, principal, TokenGuard } from './support/people.js';
import { done, RefundsController } from './support/refunds.js';

describe.each(PLATFORMS)('the routes of approvals, on %s', (platform) => {
  let approving: Approving;
  let approval: ApprovalRecord;

  beforeEach(async () => {
    done.length = 0;
    approving = await bootApproving(platform, {
      approvals: { operations: { 'refunds.limit': { roles: ['operator'], quorum: 2 } } },
    });
    approval = await approving.propose('ann', 'refunds__pay', REFUND);
  });
  afterEach(async () => {
    disabled.clear();
    await closeApplications();
  });

  const path = (more = ''): string => `/approvals/${approval.approvalId}${more}`;

  it('show an approval with all that a person needs to decide, and its history', async () => {
    const shown = await approving.http('ben', 'get', path());
    expect(shown).toMatchObject({
      status: 200,
      body: {
        state: 'pending',
        operation: 'refunds.pay',
        reason: 'moves money',
        arguments: JSON.stringify(REFUND),
        argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        requester: { subject: 'ann', tenant: 'north' },
      },
    });
    expect(JSON.stringify(shown.body)).not.toContain('Bearer');
    await approving.decide('ben', approval, { comment: 'agreed by phone' });
    expect((await approving.http('ben', 'get', path('/history'))).body).toMatchObject({
      events: [
        { what: 'requested', by: { subject: 'ann' } },
        { what: 'vote', by: { subject: 'ben' }, verdict: 'approve', comment: 'agreed by phone' },
        { what: 'settled', state: 'approved' },
      ],
      call: { state: 'ready', attempts: 0 },
    });
  });

  it('list by filter and page, oldest first, within the tenant', async () => {
    for (const order of ['o-2', 'o-3', 'o-4']) {
      await approving.propose('ann', 'refunds__pay', { ...REFUND, order }, { runId: 'evening' });
    }
    await approving.propose('otto', 'refunds__pay', REFUND);
    await approving.decide('ben', approval);
    const list = async (person: string, query: string) => {
      const { body } = await approving.http(person, 'get', `/approvals?${query}`);
      const { approvals, next } = body as { approvals: ApprovalRecord[]; next?: string };
      return { orders: approvals.map((each) => (JSON.parse(each.arguments) as { order: string }).order), next };
    };
    const first = await list('ben', 'runId=evening&limit=2');
    expect(first).toEqual({ orders: ['o-2', 'o-3'], next: expect.any(String) });
    expect(await list('ben', `runId=evening&limit=2&after=${first.next}`)).toEqual({ orders: ['o-4'] });
    expect((await list('ben', 'state=approved,denied')).orders).toEqual(['o-1']);
    expect((await list('ben', 'requester=ann&operation=refunds.pay')).orders).toHaveLength(4);
    expect((await list('ben', 'requester=otto')).orders).toEqual([]);
    expect((await list('otto', '')).orders).toEqual(['o-1']);
  });

  it.each([
    ['nobody', undefined, 401, undefined],
    ['somebody whom a guard no longer lets in', 'cleo', 403, undefined],
    ['the requester', 'ann', 403, 'approval_requester_refused'],
    ['somebody whom the authorizer does not let', 'dan', 403, 'approval_decider_refused'],
    ['somebody of another tenant', 'otto', 404, 'approval_unknown'],
  ])('do not let %s decide', async (_who, person, status, code) => {
    disabled.add('cleo');
    const body = { verdict: 'approve', argumentsHash: approval.argumentsHash };
    const answer = await approving.http(person, 'post', path('/decision'), body);
    expect(answer).toMatchObject({ status, body: code === undefined ? {} : { code } });
    expect(await approving.store.approval(approval.approvalId)).toMatchObject({ state: 'pending', votes: [] });
    expect(await approving.decide('ben', approval)).toMatchObject({ status: 200 });
  });

  it('ask for a role, and for as many persons as the operation says', async () => {
    const limit = await approving.propose('ann', 'refunds__limit', { order: 'o-1', limit: 5 });
    expect(await approving.decide('ben', limit)).toMatchObject({
      status: 403,
      body: { code: 'approval_role_missing' },
    });
    expect(await approving.decide('cleo', limit)).toMatchObject({ body: { outcome: 'counted' } });
    expect(await approving.decide('cleo', limit)).toMatchObject({ body: { outcome: 'repeated' } });
    expect(await approving.decide('cleo', limit, { verdict: 'deny' })).toMatchObject({
      status: 409,
      body: { code: 'approval_conflict', details: { state: 'pending', by: 'cleo', verdict: 'approve' } },
    });
    expect(await approving.store.approval(limit.approvalId)).toMatchObject({ state: 'pending' });
    const by = { subject: 'eve', tenant: 'north', scopes: ['operator', 'approver'] };
    const decision = { verdict: 'approve' as const, argumentsHash: limit.argumentsHash };
    const second = await approving.service.decide(by, limit.approvalId, decision);
    expect(second).toMatchObject({ outcome: 'decided', approval: { state: 'approved' } });
  });

  it('let a requester decide where the policy says so', async () => {
    const lenient = await bootApproving(platform, {
      approvals: { mayRequesterDecide: true, authorizer: publicApprovals() },
    });
    const own = await lenient.propose('ann', 'refunds__pay', REFUND);
    expect(await lenient.decide('ann', own)).toMatchObject({ status: 200, body: { outcome: 'decided' } });
  });

  it('hide from a person what the authorizer does not let it see', async () => {
    const hiding = await bootApproving(platform, {
      approvals: { authorizer: (access) => access.by.subject !== 'dan' && authorizer(access) },
    });
    const hidden = await hiding.propose('ann', 'refunds__pay', REFUND);
    const get = (person: string, more = '') => hiding.http(person, 'get', `/approvals${more}`);
    expect(await get('dan', `/${hidden.approvalId}`)).toMatchObject({
      status: 404,
      body: { code: 'approval_unknown' },
    });
    expect((await get('dan')).body).toMatchObject({ approvals: [] });
    expect(await get('ben', `/${hidden.approvalId}`)).toMatchObject({ status: 200 });
  });

  it.each([
    ['no object', ['approve']],
    ['no verdict', { verdict: undefined }],
    ['a verdict that is none', { verdict: 'maybe' }],
    ['null for a verdict', { verdict: null }],
    ['no hash of what was seen', { argumentsHash: undefined }],
    ['null for the hash', { argumentsHash: null }],
    ['a hash that is no text', { argumentsHash: 7 }],
    ['a decider in the body', { by: { subject: 'cleo' } }],
    ['a principal in the body', { principal: 'cleo' }],
    ['arguments that are no object', { arguments: '{"order":"o-1","amount":4}' }],
    ['arguments for a denial', { verdict: 'deny', arguments: REFUND }],
    ['a comment past its length', { comment: 'x'.repeat(2_001) }],
  ])('refuse a decision with %s', async (_what, body) => {
    const fit = { verdict: 'approve', argumentsHash: approval.argumentsHash };
    const sent = Array.isArray(body) ? body : { ...fit, ...body };
    const refused = await approving.http('ben', 'post', path('/decision'), sent);
    expect(refused).toMatchObject({ status: 400, body: { code: 'approval_decision_invalid' } });
    expect(await approving.store.approval(approval.approvalId)).toMatchObject({ state: 'pending' });
    expect(await approving.http('ben', 'post', path('/decision'), fit)).toMatchObject({ status: 200 });
  });

  it.each([[undefined], [null], ['approved'], [true]])(
    'refuse a verdict that is none, also where the application decides: %j',
    async (verdict) => {
      const by = { subject: 'ben', tenant: 'north', scopes: ['approver'] };
      const decide = (said: unknown) =>
        approving.service.decide(by, approval.approvalId, {
          verdict: said as 'approve',
          argumentsHash: approval.argumentsHash,
        });
      const details = [{ pointer: '/verdict', problem: 'must be one of approve, deny' }];
      expect(await catchError(() => decide(verdict))).toMatchObject({ code: 'approval_decision_invalid', details });
      expect(await approving.store.approval(approval.approvalId)).toMatchObject({ state: 'pending', votes: [] });
      expect(await decide('approve')).toMatchObject({ outcome: 'decided' });
    },
  );

  it('take null for what may be left out as if it were left out', async () => {
    const nothing = { comment: null, arguments: null };
    expect(await approving.decide('ben', approval, nothing)).toMatchObject({
      status: 200,
      body: { outcome: 'decided' },
    });
  });

  it.each([{ conversationId: null, callId: 'c' }, { conversationId: 'c', callId: null }, { callId: 'c' }])(
    'refuse to acknowledge what is not named: %j',
    async (body) => {
      const acknowledge = (sent: object) =>
        approving.http('cleo', 'post', '/approvals/unknown-calls/acknowledge', sent);
      expect(await acknowledge(body)).toMatchObject({ status: 400, body: { code: 'approval_request_invalid' } });
      const named = { conversationId: approval.conversationId, callId: approval.callId };
      expect(await acknowledge(named)).toMatchObject({ status: 404, body: { code: 'call_not_unknown' } });
    },
  );

  it.each([
    'state=maybe',
    'state=',
    'limit=0',
    'limit=201',
    'limit=many',
    'tenant=south',
    'state=denied&state=approved',
  ])('refuse a list by %s', async (query) => {
    const refused = await approving.http('ben', 'get', `/approvals?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { code: 'approval_request_invalid' } });
  });

  it("stand under the application's prefix and version, where they were put", async () => {
    const { app, propose } = await bootApproving(platform, {
      approvals: { path: 'desk/decisions', version: '2' },
      configure: (created) => {
        created.setGlobalPrefix('api');
        created.enableVersioning({ type: VersioningType.URI });
      },
    });
    const moved = await propose('ann', 'refunds__pay', REFUND);
    const get = (url: string) =>
      request(app.getHttpServer() as never)
        .get(url)
        .set('authorization', 'Bearer ben');
    await get(`/api/v2/desk/decisions/${moved.approvalId}`).expect(200);
    await get(`/approvals/${moved.approvalId}`).expect(404);
  });

  it("keep one application's guards and path from another's", async () => {
    const open = await bootApproving(platform, { approvals: { guards: [], path: 'open', principal: () => undefined } });
    expect(await open.http(undefined, 'get', '/open')).toMatchObject({ body: { code: 'approval_principal_missing' } });
    expect(await open.http('ben', 'get', '/approvals')).toMatchObject({ status: 404 });
    expect(await approving.http('ben', 'get', '/approvals')).toMatchObject({ status: 200 });
  });
});

describe('the options of ApprovalsModule', () => {
  afterEach(closeApplications);

  const boot = (options: object) =>
    bootApplication('express', {
      imports: [
        OperationsModule.forRoot({}),
        OperationsModule.forFeature({ palettes: [{ name: 'desk', readOnly: false, include: [operationsUnder('')] }] }),
        ApprovalsModule.forRootAsync({ useFactory: () => options as never }),
      ],
      controllers: [RefundsController],
    });

  it('are refused together, each with its repair', async () => {
    const operations = { 'refunds.pay': { quorum: 0, expiresInMs: 1.5 } };
    const error = await catchError(() => boot({ operations, leaseMs: 1, sweepIntervalMs: -1 }));
    expect(error).toMatchObject({ code: 'approval_authorizer_missing' });
    expect((error as unknown as { details: { message: string }[] }).details.map(({ message }) => message)).toEqual([
      expect.stringContaining('publicApprovals()'),
      expect.stringContaining('`principal` is missing'),
      expect.stringContaining('`sweepIntervalMs` must be'),
      expect.stringContaining('`leaseMs` must be'),
      expect.stringContaining("`operations['refunds.pay'].quorum` must be"),
      expect.stringContaining("`operations['refunds.pay'].expiresInMs` must be"),
    ]);
  });

  it('may come from a factory with its own dependencies', async () => {
    @Module({ providers: [{ provide: 'STORE', useFactory: () => new InMemoryAgentStore() }], exports: ['STORE'] })
    class StoreModule {}
    const app = await bootApplication('express', {
      imports: [
        OperationsModule.forRoot({}),
        OperationsModule.forFeature({ palettes: [{ name: 'desk', readOnly: false, include: [operationsUnder('')] }] }),
        ApprovalsModule.forRootAsync({
          imports: [StoreModule],
          inject: ['STORE'],
          useFactory: (store: InMemoryAgentStore) => ({ store, authorizer: publicApprovals(), principal }),
          guards: [TokenGuard],
        }),
      ],
      controllers: [RefundsController],
    });
    expect(app.get(ApprovalsService).store).toBeInstanceOf(InMemoryAgentStore);
    await request(app.getHttpServer() as never)
      .get('/approvals')
      .expect(401);
    await request(app.getHttpServer() as never)
      .get('/approvals')
      .set('authorization', 'Bearer ben')
      .expect(200);
  });
});
