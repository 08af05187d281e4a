import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { rawRequestOf } from '../../common/index.js';
import { MCP_OPTIONS } from '../mcp.tokens.js';
import type { ResolvedMcpOptions } from '../resolve-options.js';
import { challengeHeader } from './challenge.js';
import { challengeRefusals } from './challenge-refusals.js';

/**
 * Where the application's own guard turns a caller of the endpoint away, in whatever words its filters have, this tells the
 * client where to get a token, or which scopes to ask for.
 */
@Injectable()
export class ChallengeMiddleware implements NestMiddleware {
  constructor(@Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions) {}

  use(_request: unknown, response: unknown, next: () => void): void {
    const { authorization } = this.options;
    challengeRefusals(rawRequestOf(response) as ServerResponse, (challenge) =>
      challengeHeader(challenge, authorization),
    );
    next();
  }
}
