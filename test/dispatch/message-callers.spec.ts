import type { AddressInfo, Server } from 'node:net';
import { Controller } from '@nestjs/common';
import { ClientProxyFactory, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { IsObject, IsOptional } from 'class-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { firstValueFrom, timeout } from 'rxjs';
import {
  AgentCall,
  AgentCalls,
  Caller,
  Operation,
  OperationDispatcher,
  type AgentCallInfo,
  type CallerContext,
} from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

const handled: string[] = [];
let told: CallerContext[] = [];

function run(handler: string): { ran: string } {
  handled.push(handler);
  return { ran: handler };
}

@Controller()
class RulesController {
  @Operation({ name: 'rules.people' }) @AgentCalls('deny') @MessagePattern('people') people(): unknown {
    return run('people');
  }
  @Operation({ name: 'rules.agents' }) @AgentCalls('only') @MessagePattern('agents') agents(): unknown {
    return run('agents');
  }
  @Operation({ name: 'rules.everybody' }) @MessagePattern('everybody') everybody(): unknown {
    return run('everybody');
  }
}

@Controller()
@AgentCalls('deny')
class LockedController {
  @Operation({ name: 'locked.closed' }) @MessagePattern('closed') closed(): unknown {
    return run('closed');
  }
  @Operation({ name: 'locked.open' }) @AgentCalls('allow') @MessagePattern('open') open(): unknown {
    return run('open');
  }
}

class AskDto {
  @IsOptional() @IsObject() headers?: Record<string, string>;
}

@Controller()
class CallersController {
  @Operation({ name: 'callers.who', kind: 'query' })
  @MessagePattern('who')
  who(@Payload() _ask: AskDto, @Caller() caller: CallerContext, @AgentCall() call?: AgentCallInfo): unknown {
    told.push(caller);
    return { headers: caller.headers, tool: call?.toolName ?? null };
  }
  @Operation({ name: 'callers.wait', kind: 'query' })
  @MessagePattern('wait')
  async wait(@Caller() { signal }: CallerContext): Promise<void> {
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    run('told of the end');
  }
}

describe.each(PLATFORMS)('who calls a message handler beside %s', (platform) => {
  let dispatching: Dispatching;
  let peer: (pattern: string, payload?: unknown) => Promise<unknown>;

  beforeAll(async () => {
    dispatching = await bootDispatching(
      platform,
      { controllers: [RulesController, LockedController, CallersController] },
      {
        configure: connectMessageService,
        dispatch: { forwardHeaders: ['x-tenant'] },
      },
    );
    await dispatching.app.startAllMicroservices();
    const [service] = dispatching.app.getMicroservices();
    const { port } = service?.unwrap<Server>().address() as AddressInfo;
    peer = async (pattern, payload = {}) => {
      // One for each: on Nest 11 a client that was closed is told so when it is used again.
      const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: '127.0.0.1', port } });
      try {
        return await firstValueFrom(client.send(pattern, payload).pipe(timeout(2_000)));
      } finally {
        client.close();
      }
    };
  });
  afterAll(closeApplications);
  beforeEach(() => {
    handled.length = 0;
    told = [];
  });

  it.each([
    ['rules__people', 'people'],
    ['locked__closed', 'closed'],
  ])('keeps %s to people', async (tool, pattern) => {
    expect(await dispatching.call(tool)).toEqual({
      toolCallId: 'call-1',
      isError: true,
      content: { code: 'agent_call_denied', message: 'This route is not for agents.' },
    });
    expect(handled).toEqual([]);
    expect(await peer(pattern)).toEqual({ ran: pattern });
  });

  it('keeps what is for agents to them', async () => {
    expect(await dispatching.call('rules__agents')).toMatchObject({ isError: false, content: { ran: 'agents' } });
    handled.length = 0;
    expect(await catchError(() => peer('agents'))).toMatchObject({ message: 'Forbidden resource' });
    expect(handled).toEqual([]);
  });

  it.each([
    ['rules__everybody', 'everybody'],
    ['locked__open', 'open'],
  ])('lets both call %s', async (tool, pattern) => {
    expect(await dispatching.call(tool)).toMatchObject({ isError: false, content: { ran: pattern } });
    expect(await peer(pattern)).toEqual({ ran: pattern });
  });

  it('is the caller of the tool call, whatever the model writes', async () => {
    const headers = { authorization: 'Bearer good', 'x-tenant': '42', cookie: 'session=1' };
    const args = { headers: { authorization: 'Bearer forged', 'x-tenant': '1' } };
    const caller = { headers, remoteAddress: '192.0.2.7', deadline: Date.now() + 5_000 };
    expect(await dispatching.call('callers__who', args, caller)).toMatchObject({
      isError: false,
      content: { headers: { authorization: 'Bearer good', 'x-tenant': '42' }, tool: 'callers__who' },
    });
    expect(told).toEqual([
      {
        headers: { authorization: 'Bearer good', 'x-tenant': '42' },
        remoteAddress: '192.0.2.7',
        deadline: caller.deadline,
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it('is nobody for a message of a peer', async () => {
    const answer = await peer('who', { headers: { authorization: 'Bearer forged' } });
    expect(answer).toEqual({ headers: {}, tool: null });
    expect(told).toEqual([{ headers: {} }]);
  });

  it('can be passed on to a call within, which is as authenticated and as short of time', async () => {
    const deadline = Date.now() + 5_000;
    await dispatching.call('callers__who', {}, { headers: { authorization: 'Bearer good' }, deadline });
    const [caller] = told;
    const context = { palette: dispatching.palette, caller: caller as CallerContext };
    const call = { id: 'inner', name: 'callers__who', arguments: {} };
    expect(await dispatching.app.get(OperationDispatcher).dispatch(call, context)).toMatchObject({ isError: false });
    expect(told[1]).toMatchObject({ headers: { authorization: 'Bearer good' }, deadline });
  });

  it('is told when the time is over', async () => {
    const late = () => dispatching.call('callers__wait', {}, { deadline: Date.now() + 40 });
    expect(await catchError(late)).toMatchObject({ code: 'deadline_exceeded' });
    expect(handled).toEqual(['told of the end']);
  });
});
