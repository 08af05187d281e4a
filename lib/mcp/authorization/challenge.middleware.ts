import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { rawRequestOf } from '../../common/index.js';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import type { ResolvedMcpOptions } from '../resolve-options.js';
import { challengeHeader } from './challenge.js';

const HEADER = 'www-authenticate';

/**
 * Where the application's own guard turns a caller of the endpoint away, in whatever words its filters have, this tells the
 * client where to get a token.
 */
@Injectable()
export class ChallengeMiddleware implements NestMiddleware {
  constructor(@Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions) {}

  use(_request: unknown, response: unknown, next: () => void): void {
    const raw = rawRequestOf(response) as ServerResponse;
    const { authorization } = this.options;
    const writeHead = raw.writeHead.bind(raw) as (...parameters: unknown[]) => ServerResponse;
    raw.writeHead = (...parameters: unknown[]): ServerResponse => {
      if (parameters[0] === 401 && !isTold(raw, parameters))
        raw.setHeader(HEADER, challengeHeader({ status: 401 }, authorization));
      return writeHead(...parameters);
    };
    next();
  }
}

/** Whether the answer has a challenge of its own. */
function isTold(response: ServerResponse, parameters: readonly unknown[]): boolean {
  const headers = parameters.find((each) => typeof each === 'object' && each !== null) ?? {};
  return response.hasHeader(HEADER) || Object.keys(headers).some((name) => name.toLowerCase() === HEADER);
}
