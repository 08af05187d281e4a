import { Controller, Get, Headers, Param } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { defineAgent, Operation, OperationDispatcher, runAgent } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { closeApplications, PLATFORMS, type Platform } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { Recorder } from '../../telemetry/support/recorder.js';
import { collect, ofType } from './support/running.js';

const THEIRS = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=1' };

@Controller('trace')
class TraceController {
  @Get(':id')
  @Operation({ name: 'trace.see', description: 'The trace headers of this request.' })
  see(@Param('id') id: string, @Headers() headers: Record<string, string>) {
    const inside = trace.getActiveSpan()?.spanContext().spanId;
    return { id, traceparent: headers['traceparent'], tracestate: headers['tracestate'], inside };
  }
}

/** What the operation saw, called by an agent on behalf of a caller with these headers. */
async function seenBy(platform: Platform, headers: Record<string, string>): Promise<unknown[]> {
  const { app, palette } = await bootDispatching(platform, { controllers: [TraceController] });
  const toolCalls = [
    { name: 'trace__see', arguments: { id: 'one' } },
    { name: 'trace__see', arguments: { id: 'two' } },
  ];
  const model = new ScriptedModel([{ toolCalls }, 'Done.'], { name: 'm' });
  const agent = defineAgent({ name: 'helper', model, palette });
  const messages = [{ role: 'user' as const, text: 'q' }];
  const dispatcher = app.get(OperationDispatcher);
  const caller = { headers };
  const events = await collect(runAgent({ agent, messages, caller, dispatcher }));
  expect(caller.headers).toEqual(headers);
  return ofType(events, 'tool_result').map(({ content }) => content);
}

afterEach(closeApplications);

describe.each(PLATFORMS)('an operation that an agent calls, where the application traces (%s)', (platform) => {
  let recorder: Recorder;
  beforeAll(() => {
    recorder = new Recorder();
  });
  afterAll(() => recorder.stop());
  afterEach(() => recorder.reset());

  const parents = (): string[] =>
    ['one', 'two'].map((_, index) => {
      const spans = recorder.spans.filter(({ name }) => name === 'execute_tool trace__see');
      const span = spans.find(({ attributes }) => attributes['gen_ai.tool.call.id'] === `call_1_${index + 1}`);
      const { traceId, spanId } = span?.spanContext() ?? {};
      return `00-${traceId}-${spanId}-01`;
    });

  it.each([
    ['without a trace', {}],
    ['with a trace', THEIRS],
  ])('is told the span of its call, for a caller %s', async (_what, headers) => {
    const seen = await seenBy(platform, headers);
    const [one, two] = parents();
    expect(one).not.toBe(two);
    expect(seen).toMatchObject([
      { id: 'one', traceparent: one },
      { id: 'two', traceparent: two },
    ]);
    expect(JSON.stringify(seen)).not.toContain('vendor');
  });

  it('runs inside of that span', async () => {
    const seen = await seenBy(platform, {});
    expect(seen.map((each) => (each as { inside: string }).inside)).toEqual(
      parents().map((parent) => parent.slice(36, 52)),
    );
  });
});

describe.each(PLATFORMS)('an operation that an agent calls, where nobody traces (%s)', (platform) => {
  it('sees what the caller sent', async () => {
    const [one] = await seenBy(platform, THEIRS);
    expect(one).toEqual({ id: 'one', ...THEIRS });
  });

  it('sees nothing where the caller sent nothing', async () => {
    const [one] = await seenBy(platform, {});
    expect(one).toEqual({ id: 'one' });
  });
});
