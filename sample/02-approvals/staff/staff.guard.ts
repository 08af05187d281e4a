import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Principal } from 'nestjs-palette';
import { StaffService } from './staff.service.js';

export interface StaffRequest {
  readonly headers: { readonly authorization?: string };
  /** Set by the guard. */
  user?: Principal;
}

/** An ordinary guard. It judges every request, and every call of the agent when that call runs. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(private readonly staff: StaffService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StaffRequest>();
    const person = await this.staff.personOf(request.headers.authorization);
    if (person === undefined) throw new UnauthorizedException();
    if (this.staff.isSuspended(person.subject)) throw new ForbiddenException(`${person.subject} is suspended.`);
    request.user = person;
    return true;
  }
}
