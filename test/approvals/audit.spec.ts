import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditRecord } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootApproving, REFUND, type Approving } from './support/approving.js';
import { done, hold } from './support/refunds.js';

describe.each(PLATFORMS)('the audit of gated calls, on %s', (platform) => {
  let approving: Approving;
  let records: AuditRecord[];

  beforeEach(async () => {
    records = [];
    done.length = 0;
    approving = await bootApproving(platform, {
      operations: { audit: { sink: { record: (record) => void records.push(record) } } },
    });
  });
  afterEach(async () => {
    hold.fail = false;
    await closeApplications();
  });

  const approved = async (decision: object = {}): Promise<string> => {
    const approval = await approving.propose('ann', 'refunds__pay', REFUND);
    await approving.decide('ben', approval, decision);
    return approval.approvalId;
  };
  const pay = (approvalId: string) => approving.call('ann', 'refunds__pay', REFUND, { approvalId });
  const told = () =>
    records.map(({ operation, palette, toolCallId, outcome }) => [operation, palette, toolCallId, outcome]);

  it.each([
    ['as it was proposed', {}],
    ['with arguments that a person changed', { arguments: { ...REFUND, amount: 4 } }],
  ])('has one record of a call that runs %s', async (_how, decision) => {
    const approvalId = await approved(decision);
    expect(await pay(approvalId)).toMatchObject({ isError: false });
    expect(told()).toEqual([['refunds.pay', 'desk', 'c-1', 'ok']]);
    expect(records[0]?.bytes).toBeGreaterThan(0);
    expect(done).toHaveLength(1);
  });

  it('has one record of a call that fails with changed arguments, and of each that is not run', async () => {
    const approvalId = await approved({ arguments: { ...REFUND, amount: 4 } });
    hold.fail = true;
    expect(await catchError(() => pay(approvalId))).toMatchObject({ code: 'operation_failed' });
    await pay(approvalId);
    await pay('nobody-knows');
    expect(told().map(([, , , outcome]) => outcome)).toEqual([
      'operation_failed',
      'tool_outcome_unknown',
      'approval_unknown',
    ]);
  });
});
