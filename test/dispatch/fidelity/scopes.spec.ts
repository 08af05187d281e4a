import { Controller, Get, Inject, Injectable, Param, Scope, UseGuards, type CanActivate } from '@nestjs/common';
import {
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { content, fidelityTable, handled, mark, refused } from './support/fidelity-table.js';
import type { AnyRequest } from './support/request.js';

@Injectable({ scope: Scope.REQUEST })
class RequestUser {
  readonly name: string | undefined;

  constructor(@Inject(REQUEST) request: AnyRequest) {
    mark('request-scoped provider');
    this.name = request.headers['x-user'];
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class Counter {
  #count = 0;

  constructor() {
    mark('transient provider');
  }

  next(): number {
    return ++this.#count;
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestGuard implements CanActivate {
  constructor(private readonly user: RequestUser) {}

  canActivate(): boolean {
    return this.user.name !== 'mallory';
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantPool {
  readonly tenant: string | undefined;
  calls = 0;

  constructor(@Inject(REQUEST) tenant: { tenantId?: string }) {
    mark('durable provider');
    this.tenant = tenant.tenantId;
  }
}

@Controller('plain')
class PlainController {
  constructor(private readonly counter: Counter) {}

  @Operation() @Get('count') count(): { counted: boolean } {
    return handled({ counted: this.counter.next() > 0 });
  }
}

@Controller('bubbled')
@UseGuards(RequestGuard)
class BubbledController {
  constructor(
    private readonly user: RequestUser,
    private readonly counter: Counter,
  ) {
    mark('bubbled controller');
  }

  @Operation() @Get('user/:id') read(@Param('id') id: string): unknown {
    return handled({ id, user: this.user.name, count: this.counter.next() });
  }
}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
class ScopedController {
  constructor(@Inject(REQUEST) private readonly request: AnyRequest) {
    mark('request-scoped controller');
  }

  @Operation() @Get('user') user(): unknown {
    return handled({ user: this.request.headers['x-user'], method: this.request.method });
  }
}

@Controller({ path: 'transient', scope: Scope.TRANSIENT })
class TransientController {
  @Operation() @Get('hello') hello(): string {
    return handled('hello');
  }
}

@Controller('tenants')
class TenantsController {
  constructor(private readonly pool: TenantPool) {}

  @Operation() @Get('mine') mine(): unknown {
    return handled({ tenant: this.pool.tenant, calls: ++this.pool.calls });
  }
}

const subTrees = new Map<string, ContextId>();

/** One sub-tree of providers a tenant: the strategy of Nest's own documentation. */
class TenantStrategy implements ContextIdStrategy {
  attach(contextId: ContextId, request: AnyRequest): ReturnType<ContextIdStrategy['attach']> {
    const tenantId = request.headers?.['x-tenant'] ?? 'nobody';
    const subTree = subTrees.get(tenantId) ?? ContextIdFactory.create();
    subTrees.set(tenantId, subTree);
    const resolve = (info: HostComponentInfo): ContextId => (info.isTreeDurable ? subTree : contextId);
    return { resolve, payload: { tenantId } };
  }
}

const mine = { tool: 'tenants__mine', http: 'GET /tenants/mine', status: 200 };

fidelityTable('scopes', {
  application: () => ({
    controllers: [PlainController, BubbledController, ScopedController, TransientController],
    providers: [RequestUser, Counter, RequestGuard],
  }),
  dispatch: { forwardHeaders: ['x-user'] },
  rows: [
    {
      what: 'a provider of a request is made for the call, of the request of the call',
      tool: 'bubbled__read',
      args: { id: '7' },
      http: 'GET /bubbled/user/7',
      headers: { 'x-user': 'ada' },
      status: 200,
      view: content({ id: '7', user: 'ada', count: 1 }),
    },
    {
      what: 'a guard with a provider of the request refuses',
      tool: 'bubbled__read',
      args: { id: '7' },
      http: 'GET /bubbled/user/7',
      headers: { 'x-user': 'mallory' },
      status: 403,
      view: refused('forbidden', 'Forbidden resource'),
    },
    {
      what: 'a controller of a request is made for the call',
      tool: 'scoped__user',
      http: 'GET /scoped/user',
      headers: { 'x-user': 'ada' },
      status: 200,
      view: content({ user: 'ada', method: 'GET' }),
      steps: ['request-scoped controller', 'handler'],
    },
    {
      what: 'a transient controller answers',
      tool: 'transient__hello',
      http: 'GET /transient/hello',
      status: 200,
      view: content('hello'),
    },
    {
      what: 'a transient provider of a static controller is made once',
      tool: 'plain__count',
      http: 'GET /plain/count',
      status: 200,
      view: content({ counted: true }),
      steps: ['handler'],
    },
  ],
});

fidelityTable('durable providers', {
  application: () => ({ controllers: [TenantsController], providers: [TenantPool] }),
  configure: () => ContextIdFactory.apply(new TenantStrategy()),
  dispatch: { forwardHeaders: ['x-tenant'] },
  reset: () => subTrees.clear(),
  rows: [
    {
      what: 'are those of the tenant',
      ...mine,
      headers: { 'x-tenant': 'acme' },
      view: content({ tenant: 'acme', calls: 1 }),
    },
    {
      what: 'are others for another tenant',
      ...mine,
      headers: { 'x-tenant': 'umbrella' },
      view: content({ tenant: 'umbrella', calls: 1 }),
    },
  ],
});

describe.each(PLATFORMS)('a durable provider on %s', (platform) => {
  afterEach(closeApplications);

  it('is the same one for requests and tool calls of a tenant', async () => {
    ContextIdFactory.apply(new TenantStrategy());
    subTrees.clear();
    const application = { controllers: [TenantsController], providers: [TenantPool] };
    const { app, call } = await bootDispatching(platform, application, { dispatch: { forwardHeaders: ['x-tenant'] } });
    const answer = await request(app.getHttpServer() as never)
      .get('/tenants/mine')
      .set('x-tenant', 'acme');
    expect(answer.body).toEqual({ tenant: 'acme', calls: 1 });
    const calls = ['acme', 'umbrella', 'acme'].map((tenant) =>
      call('tenants__mine', {}, { headers: { 'x-tenant': tenant } }),
    );
    expect((await Promise.all(calls)).map((result) => result.content)).toEqual([
      { tenant: 'acme', calls: 2 },
      { tenant: 'umbrella', calls: 1 },
      { tenant: 'acme', calls: 3 },
    ]);
  });
});
