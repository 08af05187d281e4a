import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';
import { as, decide, paid, serveRefunds } from './support/refunds.js';

describe.each(PLATFORMS)('a gated tool over MCP on %s', (platform) => {
  beforeEach(() => void (paid.length = 0));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it('is told as such, and never runs without an approval', async () => {
      const { url } = await serveRefunds(platform, { proposeUnasked: false });
      const client = await connect(kind, url, as('ada'));
      const [tool] = await client.tools();
      expect(tool?.description).toContain('A person must approve each call.');
      const answer = await client.call('orders__refund', { amount: 5 });
      expect(answer).toMatchObject({ isError: true, code: 'approval_required', structured: undefined });
      expect(answer.text).not.toContain('approvalId');
      expect(paid).toEqual([]);
    });

    it('is proposed, and answered once it was approved and called again', async () => {
      const { app, url } = await serveRefunds(platform);
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
      const { app, url } = await serveRefunds(platform);
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
