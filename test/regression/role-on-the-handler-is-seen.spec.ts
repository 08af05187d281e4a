import {
  Controller,
  Get,
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';

// A global guard that ran against another handler than the operation's found no roles there, and let everybody in.
// https://github.com/rekog-labs/MCP-Nest/issues/84

const seen: { handler: unknown; controller: unknown }[] = [];
let executed = 0;

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    seen.push({ handler: targets[0], controller: targets[1] });
    if (this.reflector.getAllAndOverride<boolean>('public', targets)) return true;
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    const role = headers['authorization'];
    if (role === undefined) throw new UnauthorizedException();
    const roles = this.reflector.getAllAndOverride<string[]>('roles', targets);
    return roles === undefined || roles.includes(role);
  }
}

@Controller('reports')
class ReportsController {
  @Operation() @SetMetadata('roles', ['admin']) @Get('payroll') payroll(): string {
    executed++;
    return 'payroll';
  }
  @Operation() @SetMetadata('public', true) @Get('health') health(): string {
    executed++;
    return 'well';
  }
}

describe.each(PLATFORMS)('a role on the handler, on %s', (platform) => {
  let dispatching: Dispatching;

  beforeEach(async () => {
    seen.length = 0;
    executed = 0;
    dispatching = await bootDispatching(platform, {
      controllers: [ReportsController],
      providers: [{ provide: APP_GUARD, useClass: RolesGuard }],
    });
  });
  afterEach(closeApplications);

  it('is seen by a global guard: the wrong role is refused, the handler does not run', async () => {
    const result = await dispatching.call('reports__payroll', {}, { headers: { authorization: 'user' } });
    expect(result).toMatchObject({ isError: true, content: { code: 'forbidden' } });
    expect(executed).toBe(0);
    expect(seen).toEqual([{ handler: ReportsController.prototype.payroll, controller: ReportsController }]);
  });

  it('lets the right role in', async () => {
    const result = await dispatching.call('reports__payroll', {}, { headers: { authorization: 'admin' } });
    expect(result).toMatchObject({ isError: false, content: 'payroll' });
    expect(executed).toBe(1);
  });

  it('leaves a public handler public', async () => {
    expect(await dispatching.call('reports__health')).toMatchObject({ isError: false, content: 'well' });
  });
});
