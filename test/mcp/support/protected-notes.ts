import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
} from '@nestjs/common';
import { Operation } from 'nestjs-palette';
import type { Platform } from '../../support/application.js';
import { serve, type ServeOptions } from './applications.js';
import { rawRequest, send, type Era, type RawAnswer } from './raw.js';

export const RESOURCE = 'https://api.example.com/api/mcp';
export const METADATA = 'https://api.example.com/.well-known/oauth-protected-resource/api/mcp';
export const AUTHORIZATION = {
  resource: RESOURCE,
  authorizationServers: ['https://auth.example.com'],
  scopes: ['notes:read'],
  resourceName: 'Notes',
};

/** Anybody who has a token. */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization?.startsWith('Bearer ') !== true) throw new UnauthorizedException('No token.');
    return true;
  }
}

/** The writer; to others it says what they lack, and more than may stand in a header. */
@Injectable()
class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization === 'Bearer writer') return true;
    const details = { scopes: ['notes:read', 'notes:write', 'not"a scope\r\nx: y'] };
    throw new ForbiddenException({ code: 'insufficient_scope', message: 'This changes notes.', details });
  }
}

@Controller('notes')
@UseGuards(TokenGuard)
export class NotesController {
  @Operation() @Get() read(): unknown {
    return { notes: 1 };
  }
  @Operation({ name: 'notes.write' }) @Get('write') @UseGuards(ScopeGuard) write(): unknown {
    return { written: true };
  }
}

/** Serves the notes under the prefix `api`, and gives what sends a request there. */
export async function serveProtected(
  platform: Platform,
  metadata: ModuleMetadata = {},
  mcp: ServeOptions['mcp'] = { authorization: AUTHORIZATION },
) {
  const configure: ServeOptions['configure'] = (app) => app.setGlobalPrefix('api');
  const { base } = await serve(platform, { controllers: [NotesController], ...metadata }, { configure, mcp });
  return (request: Parameters<typeof send>[1]): Promise<RawAnswer> => send(base, { path: '/api/mcp', ...request });
}

export const callOf = (era: Era, tool: string) => rawRequest(era, 'tools/call', { name: tool, arguments: {} }, tool, 7);

export const withToken = (request: ReturnType<typeof rawRequest>, token: string) => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
});

export const challengeOf = ({ headers }: RawAnswer): string | undefined => headers['www-authenticate'];
