import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalsModule, publicApprovals } from 'nestjs-palette';
import type { McpStdioOptions } from 'nestjs-palette/mcp';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { CLIENTS, closeClients, type ClientKind, type User, type UserAnswer } from './support/clients.js';
import { allApprovals, as, OrdersController, paid, principal } from './support/refunds.js';
import { bootForStdio, connectOverPipes, openPipes } from './support/stdio.js';

describe.each(PLATFORMS)('a gated tool over stdio, of an application on %s', (platform) => {
  beforeEach(() => void (paid.length = 0));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  async function start(kind: ClientKind, user: User | undefined, options: Partial<McpStdioOptions> = {}) {
    const policy = { authorizer: publicApprovals(), mayRequesterDecide: true };
    const approvals = ApprovalsModule.forRoot({ ...policy, principal, proposeUnasked: true });
    const app = await bootForStdio(platform, { imports: [approvals], controllers: [OrdersController] });
    const pipes = openPipes(app, { caller: { headers: as('ada') }, ...options });
    const { call } = await connectOverPipes(kind, pipes, user);
    return { app, refund: () => call('orders__refund', { amount: 5 }) };
  }

  describe.each(CLIENTS)('for %s', (kind) => {
    it.each([
      ['accept', undefined, 'approved'],
      ['decline', 'approval_denied', 'denied'],
      ['cancel', 'approval_required', 'pending'],
    ] as const)('is as the person at the client says: %s', async (answer, code, state) => {
      const shown: string[] = [];
      const { app, refund } = await start(kind, (message) => {
        shown.push(message);
        return answer;
      });
      const outcome = await refund();
      expect(outcome.code).toBe(code);
      expect(outcome.structured).toEqual(code === undefined ? { refunded: 5 } : undefined);
      expect(shown).toEqual([
        'orders.refund needs your approval: pays money back\nIt would run with these arguments: {"amount":5}',
      ]);
      expect([await allApprovals(app), paid]).toMatchObject([[{ state }], code === undefined ? [5] : []]);
    });

    it('goes on waiting where there is nobody to ask', async () => {
      const { app, refund } = await start(kind, undefined);
      expect((await refund()).code).toBe('approval_required');
      expect([await allApprovals(app), paid]).toMatchObject([[{ state: 'pending' }], []]);
    });
  });

  it.each(CLIENTS.filter((kind) => kind.startsWith('2025')))(
    'is waited for only so long while the person says nothing, for %s',
    async (kind) => {
      let asked = 0;
      const user: User = () => {
        asked += 1;
        return new Promise<UserAnswer>(() => undefined);
      };
      const { refund } = await start(kind, user, { elicitationTimeoutMs: 100 });
      expect((await refund()).code).toBe('approval_required');
      expect([asked, paid]).toEqual([1, []]);
    },
  );
});
