import { Controller, Get } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MessagePattern } from '@nestjs/microservices';
import { Operation, OperationDispatcher, PaletteBootError, type DispatchOptions } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

/** Configuration comes from the environment as text, and sums of it as NaN: as limits they would be none at all. */
const ran: string[] = [];

@Controller('limits')
class LimitsController {
  @Operation({ name: 'http.run' }) @Get() run(): string {
    ran.push('http');
    return 'ran';
  }
  @Operation({ name: 'messages.run' }) @MessagePattern('run') take(): string {
    ran.push('messages');
    return 'ran';
  }
}

const KEYS = ['timeoutMs', 'httpTimeoutMs', 'maxArgumentBytes', 'maxResultBytes', 'maxDepth', 'concurrency'] as const;
const UNFIT: readonly unknown[] = ['30000', Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY];

describe.each(PLATFORMS)('limits of dispatch on %s', (platform) => {
  afterEach(closeApplications);

  const boot = (dispatch: object): Promise<Dispatching> =>
    bootDispatching(
      platform,
      { controllers: [LimitsController] },
      {
        dispatch: dispatch as DispatchOptions,
        configure: connectMessageService,
      },
    );
  const faultsOf = async (action: () => unknown): Promise<readonly string[]> => {
    const error = await catchError(action);
    return PaletteBootError.isInstance(error) ? error.faults.map(({ code, message }) => `${code}: ${message}`) : [];
  };

  it.each(KEYS)('are refused at boot where they are none: %s', async (key) => {
    for (const value of UNFIT) {
      expect(await faultsOf(() => boot({ [key]: value }))).toEqual([
        expect.stringMatching(
          new RegExp(`^dispatch_options_invalid: Dispatch: \`${key}\` must be a whole number from 1 to `),
        ),
      ]);
    }
  });

  it('are refused together', async () => {
    const options = Object.fromEntries(KEYS.map((key) => [key, Number.NaN]));
    const faults = await faultsOf(() => boot({ ...options, forwardHeaders: 'x-tenant' }));
    expect(faults.map((fault) => /`(\w+)`/.exec(fault)?.[1])).toEqual(['forwardHeaders', ...KEYS]);
  });

  it('hold where they are whole numbers', async () => {
    const { call } = await boot(Object.fromEntries(KEYS.map((key) => [key, 1_000])));
    expect(await call('http__run')).toMatchObject({ isError: false, content: 'ran' });
    const { call: short } = await boot({ maxArgumentBytes: 2, maxResultBytes: 2, maxDepth: 1, concurrency: 1 });
    expect(await short('http__run')).toMatchObject({ content: { code: 'tool_result_too_large' } });
  });

  it.each(['http', 'messages'])('are refused of dispatchAll before it runs anything of %s', async (way) => {
    const { app, palette } = await boot({});
    const dispatcher = app.get(OperationDispatcher);
    const calls = ['1', '2'].map((id) => ({ id, name: `${way}__run`, arguments: {} }));
    const context = { palette, caller: { headers: {} } };
    ran.length = 0;
    for (const concurrency of UNFIT) {
      const all = () => dispatcher.dispatchAll(calls, context, { concurrency: concurrency as number });
      expect(await faultsOf(all)).toEqual([
        'dispatch_options_invalid: Dispatch: `concurrency` must be a whole number from 1 to 1000000.',
      ]);
    }
    expect(ran).toEqual([]);
    expect(await dispatcher.dispatchAll(calls, context, { concurrency: 1 })).toHaveLength(2);
    expect(ran).toEqual([way, way]);
  });
});
