import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { CallerContext, Principal } from 'nestjs-palette';

const PEOPLE: Readonly<Record<string, Principal>> = {
  ann: { subject: 'ann', tenant: 'north', scopes: ['agent'] },
  ben: { subject: 'ben', tenant: 'north', scopes: ['approver'] },
  cleo: { subject: 'cleo', tenant: 'north', scopes: ['approver', 'operator'] },
  dan: { subject: 'dan', tenant: 'north', scopes: [] },
  otto: { subject: 'otto', tenant: 'south', scopes: ['approver', 'operator'] },
};

/** Who the application no longer lets in. */
export const disabled = new Set<string>();

/** The principal of a token; undefined where it is nobody's. */
export function personOf(authorization: string | undefined): Principal | undefined {
  return PEOPLE[(authorization ?? '').replace(/^Bearer /, '')];
}

export function as(person: string): CallerContext {
  return { headers: { authorization: `Bearer ${person}` } };
}

/** The application's own guard, as it would be without this library. */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: { authorization?: string }; user?: Principal }>();
    const person = personOf(request.headers.authorization);
    if (person === undefined) throw new UnauthorizedException();
    if (disabled.has(person.subject)) throw new ForbiddenException('no longer one of ours');
    request.user = person;
    return true;
  }
}

/** Of a request what the guard found; of a tool call what its token says. */
export function principal(caller: CallerContext, request: object | undefined): Principal | undefined {
  return request === undefined ? personOf(caller.headers['authorization']) : (request as { user?: Principal }).user;
}
