import { Body, Controller, Post } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DispatchError, Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

/** What cannot be written as JSON, or is nested so deep that walking through it takes more stack than there is, has a code. */
let ran: string[] = [];

function done<T>(answer: T): T {
  ran.push('handler');
  return answer;
}

function circle(): object {
  const whole: { part?: object } = {};
  whole.part = whole;
  return whole;
}

function deep(levels: number): object {
  let value: object = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

const deepText = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const ANSWERS: Readonly<Record<string, () => unknown>> = {
  big: () => ({ n: 10n }),
  circle,
  deep: () => deep(20_000),
  plain: () => ({ n: 10 }),
};

@Controller('values')
class ValuesController {
  @Operation({ name: 'http.take' }) @Post('take') take(@Body() _body: unknown): unknown {
    return done({ taken: true });
  }
  @Operation({ name: 'messages.take' }) @MessagePattern('take') receive(@Payload() _body: unknown): unknown {
    return done({ taken: true });
  }
  @Operation({ name: 'http.answer' }) @Post('answer') answer(@Body('kind') kind: string): unknown {
    return done(ANSWERS[kind]?.());
  }
  @Operation({ name: 'messages.answer' }) @MessagePattern('answer') reply(@Payload('kind') kind: string): unknown {
    return done(ANSWERS[kind]?.());
  }
  @Operation({ name: 'messages.function' }) @MessagePattern('function') function(): unknown {
    return done(() => 'no value');
  }
}

describe.each(PLATFORMS)('values that no JSON says, on %s', (platform) => {
  let dispatching: Dispatching;

  beforeAll(async () => {
    dispatching = await bootDispatching(
      platform,
      { controllers: [ValuesController] },
      {
        configure: connectMessageService,
      },
    );
  });
  afterAll(closeApplications);
  beforeEach(() => {
    ran = [];
  });

  describe.each(['http', 'messages'])('of %s', (way) => {
    it.each([
      ['text nested 20,000 deep', () => `{"body":${deepText(20_000)}}`, 'are nested more than 200 deep'],
      ['text nested a level too deep', () => `{"body":${deepText(200)}}`, 'are nested more than 200 deep'],
      ['an object nested 20,000 deep', () => ({ body: deep(20_000) }), 'are nested more than 200 deep'],
      ['an object nested a level too deep', () => ({ body: deep(200) }), 'are nested more than 200 deep'],
      ['a circle', () => ({ body: circle() }), 'are nested more than 200 deep'],
      ['a BigInt', () => ({ body: { n: 10n } }), 'are not JSON'],
    ])('are refused as arguments: %s', async (_what, args, problem) => {
      expect(await dispatching.call(`${way}__take`, args())).toEqual({
        toolCallId: 'call-1',
        isError: true,
        content: {
          code: 'tool_arguments_invalid',
          message: expect.any(String),
          details: [{ pointer: '', problem }],
        },
      });
      expect(ran).toEqual([]);
    });

    it.each([
      ['text', () => `{"body":${deepText(199)}}`],
      ['an object', () => ({ body: deep(199) })],
      ['brackets in a text', () => ({ body: { text: '['.repeat(1_000) } })],
    ])('are none where they are nested as deep as they may be: %s', async (_what, args) => {
      expect(await dispatching.call(`${way}__take`, args())).toMatchObject({
        isError: false,
        content: { taken: true },
      });
      expect(ran).toEqual(['handler']);
    });

    it.each(['big', 'circle', 'deep'])('are a fault of the application as an answer: %s', async (kind) => {
      const error = await catchError(() => dispatching.call(`${way}__answer`, { kind }));
      expect(DispatchError.isInstance(error) && error.code).toBe('operation_failed');
      expect(ran).toEqual(['handler']);
      expect(await dispatching.call(`${way}__answer`, { kind: 'plain' })).toMatchObject({ content: { n: 10 } });
    });
  });

  it('are nothing where JSON leaves them out', async () => {
    expect(await dispatching.call('messages__function')).toMatchObject({ isError: false, content: {} });
  });
});
