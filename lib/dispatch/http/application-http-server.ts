import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { DispatchError } from '../dispatch-error.js';
import type { ExchangeServer } from '../exchange/exchange.js';
import { messageClasses, type MessagePrototypes } from '../exchange/message-classes.js';

/** The application's HTTP server, ready to take requests; it need not listen. */
@Injectable()
export class ApplicationHttpServer implements OnApplicationBootstrap {
  #isInitialised = false;
  #ready: Promise<ExchangeServer> | undefined;

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onApplicationBootstrap(): void {
    this.#isInitialised = true;
  }

  /** @throws DispatchError `dispatch_without_http`, `dispatch_before_init` */
  async server(operation: string): Promise<ExchangeServer> {
    if (!this.adapterHost.httpAdapter) throw new DispatchError('dispatch_without_http', { operation });
    if (!this.#isInitialised) throw new DispatchError('dispatch_before_init', { operation });
    this.#ready ??= this.#readyServer();
    return this.#ready;
  }

  /** Fastify routes requests only after its plugins have loaded, which `listen` would wait for. */
  async #readyServer(): Promise<ExchangeServer> {
    const adapter = this.adapterHost.httpAdapter;
    const instance = adapter.getInstance<MessagePrototypes & { ready?: () => Promise<unknown> }>();
    if (adapter.getType() === 'fastify') await instance.ready?.();
    const prototypes = adapter.getType() === 'express' ? instance : {};
    return { server: adapter.getHttpServer() as Server, classes: messageClasses(prototypes) };
  }
}
