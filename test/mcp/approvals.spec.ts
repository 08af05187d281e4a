import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalsModule, ApprovalsService, Operation, publicApprovals, type CallerContext } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServedApplication } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

const paid: number[] = [];

class RefundDto {
  @IsInt() amount!: number;
}

@Controller('orders')
class OrdersController {
  @Operation({ description: 'Pays money back.', approval: 'pays money back' })
  @Post('refund')
  @HttpCode(200)
  refund(@Body() { amount }: RefundDto): unknown {
    paid.push(amount);
    return { refunded: amount };
  }
}

const principal = ({ headers }: CallerContext) => {
  const [, subject] = (headers['authorization'] ?? '').split(' ');
  return subject === undefined ? undefined : { subject };
};
const as = (user: string) => ({ authorization: `Bearer ${user}` });
const BEN = { subject: 'ben' };

describe.each(PLATFORMS)('a gated tool over MCP on %s', (platform) => {
  beforeEach(() => void (paid.length = 0));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  const boot = (proposeUnasked: boolean): Promise<ServedApplication> =>
    serve(platform, {
      imports: [ApprovalsModule.forRoot({ authorizer: publicApprovals(), principal, proposeUnasked })],
      controllers: [OrdersController],
    });

  async function decide(app: ServedApplication['app'], verdict: 'approve' | 'deny'): Promise<string> {
    const service = app.get(ApprovalsService, { strict: false });
    const [pending, ...more] = (await service.list(BEN, { states: ['pending'] })).approvals;
    if (pending === undefined || more.length > 0) throw new Error(`${more.length} more approvals are pending`);
    const { approvalId, argumentsHash } = pending;
    await service.decide(BEN, approvalId, { verdict, argumentsHash });
    return approvalId;
  }

  describe.each(CLIENTS)('for %s', (kind) => {
    it('is told as such, and never runs without an approval', async () => {
      const { url } = await boot(false);
      const client = await connect(kind, url, as('ada'));
      const [tool] = await client.tools();
      expect(tool?.description).toContain('A person must approve each call.');
      const answer = await client.call('orders__refund', { amount: 5 });
      expect(answer).toMatchObject({ isError: true, code: 'approval_required', structured: undefined });
      expect(answer.text).not.toContain('approvalId');
      expect(paid).toEqual([]);
    });

    it('is proposed, and answered once it was approved and called again', async () => {
      const { app, url } = await boot(true);
      const client = await connect(kind, url, as('ada'));
      const call = () => client.call('orders__refund', { amount: 5 });
      const [first, second] = [await call(), await call()];
      const approvalId = await decide(app, 'approve');
      for (const { code, text } of [first, second]) {
        expect({ code, isTold: text.includes(approvalId) }).toEqual({ code: 'approval_required', isTold: true });
      }
      expect(await call()).toMatchObject({ isError: false, text: '{"refunded":5}' });
      expect(paid).toEqual([5]);
    });

    it('is not run for another person, with other arguments, or when it was denied', async () => {
      const { app, url } = await boot(true);
      const [ada, eve] = [await connect(kind, url, as('ada')), await connect(kind, url, as('eve'))];
      await ada.call('orders__refund', { amount: 5 });
      await decide(app, 'approve');
      expect(await eve.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_required' });
      await decide(app, 'deny');
      expect(await ada.call('orders__refund', { amount: 500 })).toMatchObject({ code: 'approval_required' });
      await decide(app, 'deny');
      expect(await eve.call('orders__refund', { amount: 5 })).toMatchObject({ code: 'approval_denied' });
      expect(paid).toEqual([]);
    });
  });
});
