import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Customer, CustomerRequest } from './customers.js';

/** An ordinary guard: it reads the token, and knows nothing of agents. */
@Injectable()
export class CustomerGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CustomerRequest>();
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    try {
      request.customer = (await this.jwt.verifyAsync<{ readonly sub: Customer }>(token)).sub;
    } catch {
      throw new UnauthorizedException();
    }
    return true;
  }
}
