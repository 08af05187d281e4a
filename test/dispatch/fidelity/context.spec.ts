import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, Post, Req } from '@nestjs/common';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS, type Platform } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { runCompiled } from '../../support/run-compiled.js';
import type { ClsStory } from './processes/cls.js';
import type { AnyRequest } from './support/request.js';

const storage = new AsyncLocalStorage<number>();

@Controller('stored')
class StoredController {
  @Operation() @Post() async read(@Req() incoming: AnyRequest): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { stored: storage.getStore(), method: incoming.method };
  }
}

describe.each(PLATFORMS)('the async context on %s', (platform) => {
  afterEach(closeApplications);

  it('of whoever calls is kept up to the handler, in each of the calls side by side', async () => {
    const { call } = await bootDispatching(platform, { controllers: [StoredController] });
    const calls = Array.from({ length: 20 }, (_none, n) => storage.run(n, () => call('stored__read')));
    expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_none, stored) => ({ stored, method: 'POST' })),
    );
    expect((await call('stored__read')).content).toEqual({ method: 'POST' });
  });
});

describe('nestjs-cls', () => {
  let stories: Record<Platform, ClsStory>;

  beforeAll(async () => {
    stories = await runCompiled('test/dispatch/fidelity/processes/cls.ts');
  }, 60_000);

  it.each(PLATFORMS)('holds in a tool call what it holds in a request, on %s', (platform) => {
    const { http, toolCall, httpOfNobody, toolCallOfNobody } = stories[platform];
    expect(http).toEqual({ user: 'ada', isActive: true });
    expect(toolCall).toEqual(http);
    expect(httpOfNobody).toEqual({ isActive: true });
    expect(toolCallOfNobody).toEqual(httpOfNobody);
  });

  it.each(PLATFORMS)('keeps apart what the tool calls of a request write, on %s', (platform) => {
    expect(stories[platform].nested).toEqual({
      own: { user: 'ada', isActive: true },
      other: { user: 'grace', isActive: true },
      // The caller's async context is kept, and nestjs-cls lets a context within another inherit its values.
      inner: { inherited: 'by the outer request', written: 'by the tool call' },
      after: { user: 'ada', isActive: true },
      writtenOutside: 'by the outer request',
    });
  });
});
