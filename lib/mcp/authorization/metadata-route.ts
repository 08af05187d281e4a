import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import type { ResolvedMcpOptions } from '../resolve-options.js';
import { metadataPath, protectedResourceMetadata } from './protected-resource.js';

/**
 * Answers with the endpoint's metadata, for anybody: a client that was turned away reads them. They stand at the root of the
 * origin, which no prefix or version of the application may move.
 */
@Injectable()
export class MetadataRoute implements OnModuleInit {
  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const { authorization } = this.options;
    const adapter = this.adapterHost.httpAdapter;
    if (authorization === undefined || !adapter) return;
    const path = metadataPath(authorization);
    const metadata = protectedResourceMetadata(authorization);
    const answer = (status: number, body: unknown) => (_request: unknown, response: unknown) => {
      adapter.setHeader(response, 'access-control-allow-origin', '*');
      adapter.setHeader(response, 'access-control-allow-headers', 'mcp-protocol-version');
      return adapter.reply(response, body, status);
    };
    adapter.get(path, answer(200, metadata));
    adapter.options(path, answer(204, undefined));
  }
}
