import {
  Controller,
  Injectable,
  Scope,
  UseGuards,
  UsePipes,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Ctx, EventPattern, MessagePattern, Payload, RpcException, Transport } from '@nestjs/microservices';
import { IsInt, IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { Operation, OperationCatalogue, PaletteBootError, ToolCallContext } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';

type HybridOptions = NonNullable<Parameters<INestApplication['connectMicroservice']>[1]>;

const handled: string[] = [];

class ChargeDto {
  @IsString() account!: string;
  @IsInt() cents!: number;
}

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const headers = context.switchToRpc().getContext<ToolCallContext>().getHeaders();
    return headers['authorization'] === 'Bearer good';
  }
}

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller()
@UseGuards(TokenGuard)
class BillingController {
  @Operation({ name: 'billing.charge', description: 'Charge an account.' })
  @UsePipes(new ValidationPipe({ exceptionFactory: () => new RpcException({ statusCode: 400, message: 'unfit' }) }))
  @MessagePattern({ cmd: 'charge' })
  charge(@Payload() charge: ChargeDto, @Ctx() context: ToolCallContext): unknown {
    handled.push('charge');
    return { ...charge, tool: context.call.toolName };
  }
  @Operation({ name: 'billing.total', kind: 'query' }) @MessagePattern('total') total(): unknown {
    return of(1, 2, 3);
  }
  @Operation({ name: 'billing.plain' }) @MessagePattern('plain') plain(data: ChargeDto): unknown {
    return data;
  }
  @Operation({ name: 'billing.nothing' }) @MessagePattern('nothing') nothing(): void {}
  @Operation({ name: 'billing.refused' }) @MessagePattern('refused') refused(): never {
    throw new RpcException({ code: 'account_frozen', message: 'The account is frozen.' });
  }
  @Operation({ name: 'billing.broken' }) @MessagePattern('broken') broken(): never {
    throw new Error('secret');
  }
  @Operation({ name: 'billing.never' }) @MessagePattern('never') never(): Promise<void> {
    return new Promise(() => undefined);
  }
  @Operation({ name: 'billing.large', kind: 'query' }) @MessagePattern('large') large(): string {
    return 'x'.repeat(300_000);
  }
}

@Controller({ scope: Scope.REQUEST })
class ScopedController {
  @Operation({ name: 'scoped.read', kind: 'query' }) @MessagePattern('scoped') read(): string {
    handled.push('scoped');
    return 'scoped';
  }
}

function connect(options: HybridOptions): (app: INestApplication) => void {
  return (app) => {
    app.connectMicroservice({ transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } }, options);
  };
}

describe.each(PLATFORMS)('message operations beside %s', (platform) => {
  let dispatching: Dispatching;
  const good = { headers: { authorization: 'Bearer good', cookie: 'session=1' } };

  beforeEach(async () => {
    handled.length = 0;
    dispatching = await bootDispatching(
      platform,
      { controllers: [BillingController], providers: [{ provide: APP_GUARD, useClass: OpenGuard }] },
      { configure: connect({ inheritAppConfig: true }) },
    );
  });
  afterEach(closeApplications);

  it('take the payload as their input, and are commands unless they say otherwise', () => {
    const { operations } = dispatching.app.get(OperationCatalogue);
    expect(operations.get('billing.charge')?.input.schema).toMatchObject({
      properties: { account: { type: 'string' }, cents: { type: 'integer' } },
      required: ['account', 'cents'],
    });
    expect(operations.get('billing.charge')?.kind).toBe('command');
    expect(operations.get('billing.total')?.kind).toBe('query');
    expect(Object.keys(operations.get('billing.plain')?.input.schema.properties ?? {})).toEqual(['account', 'cents']);
  });

  it('run through the handler of the pattern, guards and pipes and all', async () => {
    const args = { account: 'a', cents: 5 };
    expect(await dispatching.call('billing__charge', args, good)).toEqual({
      toolCallId: 'call-1',
      isError: false,
      content: { ...args, tool: 'billing__charge' },
    });
    expect(handled).toEqual(['charge']);
  });

  it('are refused by their guard, and do not run', async () => {
    expect(await dispatching.call('billing__charge', { account: 'a', cents: 5 })).toMatchObject({
      isError: true,
      content: { code: 'forbidden' },
    });
    expect(handled).toEqual([]);
  });

  it.each([
    ['billing__total', {}, { isError: false, content: 3 }],
    ['billing__nothing', {}, { isError: false, content: {} }],
    ['billing__refused', {}, { isError: true, content: { code: 'account_frozen', message: 'The account is frozen.' } }],
    ['billing__large', {}, { isError: true, content: { code: 'tool_result_too_large' } }],
    ['billing__charge', { account: 'a' }, { isError: true, content: { code: 'tool_arguments_invalid' } }],
    [
      'billing__charge',
      { account: 'a', cents: 1, x: 1 },
      { isError: true, content: { code: 'tool_arguments_unknown' } },
    ],
  ])('answer %s %j as the model is told it', async (name, args, expected) => {
    expect(await dispatching.call(name, args, good)).toMatchObject(expected);
  });

  it('keep their faults from the model, and end at the deadline', async () => {
    const broken = await catchError(() => dispatching.call('billing__broken', {}, good));
    expect(broken).toMatchObject({ code: 'operation_failed' });
    expect(broken.message).not.toContain('secret');
    const never = () => dispatching.call('billing__never', {}, { ...good, deadline: Date.now() + 40 });
    expect(await catchError(never)).toMatchObject({ code: 'deadline_exceeded' });
  });

  it('are refused at boot where the global enhancers would be skipped', async () => {
    const boot = (options: HybridOptions, providers = [{ provide: APP_GUARD, useClass: OpenGuard }]) =>
      bootDispatching(platform, { controllers: [BillingController], providers }, { configure: connect(options) });
    const error = await catchError(() => boot({ inheritAppConfig: false }));
    expect(PaletteBootError.isInstance(error) && new Set(error.faults.map(({ code }) => code))).toEqual(
      new Set(['operation_enhancers_skipped']),
    );
    expect(error.message).toContain('BillingController.charge');
    const { call } = await boot({ inheritAppConfig: false }, []);
    expect(await call('billing__charge', { account: 'a', cents: 1 }, good)).toMatchObject({ isError: false });
  });

  it('are refused at the call where only that shows it, and do not run', async () => {
    const boot = (options: HybridOptions) =>
      bootDispatching(
        platform,
        { controllers: [ScopedController], providers: [{ provide: APP_GUARD, useClass: OpenGuard }] },
        { configure: connect(options) },
      );
    const skipping = await boot({ inheritAppConfig: false });
    expect(await catchError(() => skipping.call('scoped__read'))).toMatchObject({
      code: 'operation_enhancers_skipped',
    });
    expect(handled).toEqual([]);
    const inheriting = await boot({ inheritAppConfig: true });
    expect(await inheriting.call('scoped__read')).toMatchObject({ isError: false, content: 'scoped' });
  });

  it('need a microservice', async () => {
    const { call } = await bootDispatching(platform, { controllers: [BillingController] });
    expect(await catchError(() => call('billing__nothing', {}, good))).toMatchObject({ code: 'operation_unconnected' });
  });

  it('are no event handlers', async () => {
    @Controller()
    class EventsController {
      @Operation() @EventPattern('happened') happened(_event: object): void {}
    }
    const error = await catchError(() => bootDispatching(platform, { controllers: [EventsController] }));
    expect(error.message).toMatch(/^\[operation_input_unsupported\] EventsController.happened handles an event/);
  });
});
