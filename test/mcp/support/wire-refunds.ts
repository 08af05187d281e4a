import { expect } from '@jest/globals';
import { messageIn, modernBody, modernHeaders, send } from './raw.js';
import type { WireMessage } from './asked-client.js';
import { as } from './refunds.js';

export const REFUND = { name: 'orders__refund', arguments: { amount: 5 } };

/** What a call was answered with. */
export function told(result: WireMessage['result']): { code?: string; refunded?: number } {
  const [first] = (result?.['content'] ?? []) as { text: string }[];
  return JSON.parse(first?.text ?? 'null') as never;
}

/** Calls for a refund, in revision 2026-07-28. @param more of the call's parameters */
export async function callRefund(
  base: string,
  user: string,
  more: object = {},
  capabilities: object = { elicitation: {} },
) {
  const body = modernBody('tools/call', { ...REFUND, ...more }, 1, capabilities);
  const headers = { ...modernHeaders('tools/call', REFUND.name), ...as(user) };
  return messageIn(await send(base, { headers, body }));
}

/** Ada calls for a refund and is asked. @returns what makes the parameters that go with her answer */
export async function askAda(base: string) {
  const { result } = await callRefund(base, 'ada');
  expect(result).toMatchObject({ resultType: 'input_required' });
  const [[approvalId, request] = ['', undefined]] = Object.entries(result?.['inputRequests'] as object);
  expect(request).toMatchObject({ method: 'elicitation/create', params: { message: /needs your approval/ } });
  const answer = (action: string, key = approvalId) => ({
    inputResponses: { [key]: { action, content: {} } },
    requestState: result?.['requestState'],
  });
  return { approvalId, answer };
}
