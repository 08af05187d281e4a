import { Body, Controller, Post } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { IsInt } from 'class-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApprovalsModule,
  ApprovalsService,
  Caller,
  IdempotencyKey,
  InMemoryAgentStore,
  Operation,
  OperationDispatcher,
  PaletteBootError,
  publicApprovals,
  type CallerContext,
  type DispatchContext,
  type Palette,
} from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

/**
 * A client sends an `Idempotency-Key` with its own request, and what answers it makes several calls. If all of them carried that
 * key, a handler that tells repeats by it would run the first and drop the others.
 */
const CLIENT_KEY = 'client-key';

let charged: { cents: number; key: string | undefined }[] = [];

class ChargeDto {
  @IsInt() cents!: number;
}

let dispatcher: OperationDispatcher;
let palette: Palette;

@Controller('charges')
class ChargesController {
  @Operation({ name: 'http.charge' })
  @Post()
  charge(@Body() { cents }: ChargeDto, @IdempotencyKey() key: string | undefined): unknown {
    charged.push({ cents, key });
    return {};
  }

  @Operation({ name: 'message.charge' })
  @MessagePattern('charge')
  take(@Payload() { cents }: ChargeDto, @IdempotencyKey() key: string | undefined): unknown {
    charged.push({ cents, key });
    return {};
  }

  @Operation({ name: 'http.gated', approval: 'pays' })
  @Post('gated')
  gated(@Body() { cents }: ChargeDto, @IdempotencyKey() key: string | undefined): unknown {
    charged.push({ cents, key });
    return {};
  }

  /** What an application writes that answers one request of its client with several calls. */
  @Post('both')
  async both(@Body() { tool }: { tool: string }, @Caller() caller: CallerContext): Promise<unknown> {
    return dispatcher.dispatchAll([charge('1', 1, tool), charge('2', 2, tool)], { palette, caller });
  }
}

@Controller('plain')
class PlainController {
  @Operation() @Post() act(): void {}
}

function charge(id: string, cents: number, name: string): { id: string; name: string; arguments: object } {
  return { id, name, arguments: { cents } };
}

const principal = () => ({ subject: 'ada' });

describe.each(PLATFORMS)('the idempotency key of one request, and the calls that it leads to, on %s', (platform) => {
  let dispatching: Dispatching;
  const store = new InMemoryAgentStore();

  beforeAll(async () => {
    const approvals = ApprovalsModule.forRoot({
      store,
      principal,
      authorizer: publicApprovals(),
      mayRequesterDecide: true,
    });
    dispatching = await bootDispatching(
      platform,
      { imports: [approvals], controllers: [ChargesController] },
      {
        configure: connectMessageService,
      },
    );
    palette = dispatching.palette;
    dispatcher = dispatching.app.get(OperationDispatcher);
  });
  afterAll(closeApplications);
  beforeEach(() => {
    charged = [];
  });

  describe.each(['http__charge', 'message__charge'])('of %s', (tool) => {
    const caller = { headers: {}, idempotencyKey: CLIENT_KEY };
    const context = (more: Partial<DispatchContext> = {}): DispatchContext => ({ palette, caller, ...more });
    const keysOf = async (...calls: ReturnType<typeof charge>[]): Promise<(string | undefined)[]> => {
      charged = [];
      for (const call of calls) expect(await dispatcher.dispatch(call, context())).toMatchObject({ isError: false });
      return charged.map(({ key }) => key);
    };

    it('is of none of them: each has one of its own', async () => {
      await dispatcher.dispatchAll([charge('1', 1, tool), charge('2', 2, tool)], context());
      expect(charged.map(({ cents }) => cents).sort()).toEqual([1, 2]);
      expect(charged.map(({ key }) => key)).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
      expect(new Set(charged.map(({ key }) => key)).size).toBe(2);
    });

    it('is of none of them where it comes with a request of a client', async () => {
      const http = request(dispatching.app.getHttpServer() as never).post('/charges/both');
      await http.set('idempotency-key', CLIENT_KEY).send({ tool }).expect(201);
      expect(charged).toHaveLength(2);
      expect(new Set([CLIENT_KEY, ...charged.map(({ key }) => key)]).size).toBe(3);
    });

    it('makes the same call of the same request recognisable, and no other', async () => {
      const first = await keysOf(charge('1', 1, tool));
      expect(await keysOf(charge('1', 1, tool))).toEqual(first);
      const others = await keysOf(charge('2', 1, tool), charge('1', 2, tool));
      expect(new Set([...first, ...others]).size).toBe(3);
    });

    it('is handed over as it is where it is said to be of this very call', async () => {
      await dispatcher.dispatch(charge('1', 1, tool), context({ idempotencyKey: 'of-this-call' }));
      expect(charged).toEqual([{ cents: 1, key: 'of-this-call' }]);
    });

    it('is not of several calls, whoever says so', async () => {
      await dispatcher.dispatchAll([charge('1', 1, tool), charge('2', 2, tool)], context({ idempotencyKey: 'k' }));
      expect(new Set(['k', ...charged.map(({ key }) => key)]).size).toBe(3);
    });

    it('is made up for nobody who has none', async () => {
      await dispatcher.dispatch(charge('1', 1, tool), { palette, caller: { headers: {} } });
      expect(charged).toEqual([{ cents: 1, key: undefined }]);
    });
  });

  it('gives way to the key of the ledger', async () => {
    const service = dispatching.app.get(ApprovalsService, { strict: false });
    const call = charge('1', 1, 'http__gated');
    const caller = { headers: {}, idempotencyKey: CLIENT_KEY };
    const proposed = await service.propose(call, { palette, caller, principal: principal() });
    if (proposed.kind !== 'waiting') throw new Error(`it is ${proposed.kind}`);
    const { approvalId, argumentsHash, conversationId } = proposed.approval;
    await service.decide(principal(), approvalId, { verdict: 'approve', argumentsHash });
    expect(await dispatcher.dispatch(call, { palette, caller, approvalId })).toMatchObject({ isError: false });
    const [record] = await store.calls(conversationId);
    expect(record?.idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
    expect(charged).toEqual([{ cents: 1, key: record?.idempotencyKey }]);
  });

  it('cannot be forwarded as a header', async () => {
    const boot = (forwardHeaders: string[]) =>
      bootDispatching(platform, { controllers: [PlainController] }, { dispatch: { forwardHeaders } });
    const error = await catchError(() => boot(['Idempotency-Key']));
    expect(PaletteBootError.isInstance(error) && error.faults).toEqual([
      { code: 'dispatch_header_forbidden', message: expect.stringContaining('"idempotency-key"') },
    ]);
    await expect(boot(['x-tenant'])).resolves.toBeDefined();
  });
});
