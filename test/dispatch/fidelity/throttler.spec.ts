import { beforeAll, describe, expect, it } from '@jest/globals';
import { PLATFORMS } from '../../support/application.js';
import { runCompiled } from '../../support/run-compiled.js';
import type { ThrottlerStories } from './processes/throttler.js';

let stories: ThrottlerStories;

beforeAll(async () => {
  stories = await runCompiled('test/dispatch/fidelity/processes/throttler.ts');
}, 60_000);

describe.each(PLATFORMS)('the throttler on %s, three a minute', (platform) => {
  const tooMany = 'too_many_requests';

  it('refuses a tool call as it does a request, in the same words, and the handler does not run', () => {
    const { requests, toolCalls } = stories[platform];
    expect(requests).toMatchObject({ statuses: [200, 200, 200, 429], runs: 3 });
    expect(toolCalls).toMatchObject({ codes: ['ok', 'ok', 'ok', tooMany], runs: 3 });
    const { message } = requests.refusal as { message: string };
    expect(toolCalls.toolRefusal).toEqual({ code: tooMany, message });
  });

  it('counts each address on its own', () => {
    const { codes, statuses } = stories[platform].severalAddresses;
    expect(codes).toEqual(['ok', 'ok', 'ok', tooMany, 'ok', 'ok', 'ok', 'ok']);
    expect(statuses).toEqual([200]);
  });

  it('counts requests and tool calls of one address together', () => {
    expect(stories[platform].oneAddress).toMatchObject({ statuses: [200, 429], codes: ['ok', 'ok', tooMany], runs: 3 });
  });

  it('counts a tool call for the address of the request that it comes from', () => {
    expect(stories[platform].callsOfARequest).toMatchObject({
      codes: ['ok', 'ok', 'ok', tooMany, 'ok'],
      statuses: [429],
      runs: 4,
    });
  });
});
