import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { Roles } from './roles.decorator.js';
import type { User } from './users.js';

/** An ordinary guard: it knows nothing of agents, and it decides for them all the same. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly jwt: JwtService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>();
    const user = await this.#verify(headers.authorization?.replace(/^Bearer /, ''));
    const roles = this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]);
    if (roles !== undefined && !roles.includes(user.role)) {
      throw new ForbiddenException(`This needs one of the roles: ${roles.join(', ')}.`);
    }
    return true;
  }

  async #verify(token: string | undefined): Promise<User> {
    try {
      return await this.jwt.verifyAsync<User>(token ?? '');
    } catch {
      throw new UnauthorizedException();
    }
  }
}
