import {
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Req,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { Operation } from 'nestjs-palette';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { content, fidelityTable, handled, HOST_HAS_TO_SIGN_IN, refused } from './support/fidelity-table.js';

const SECRET = 'a secret of these tests';
const jwt = new JwtService({ secret: SECRET });

interface User {
  readonly id: string;
  readonly roles: readonly string[];
}
interface UserRequest {
  readonly headers: { readonly authorization?: string };
  user?: User;
}

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: SECRET });
  }

  validate(payload: { sub: string; roles: string[] }): User | false {
    return payload.sub === 'suspended' ? false : { id: payload.sub, roles: payload.roles };
  }
}

@Injectable()
class PassportGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    const isPublic = this.reflector.get<boolean>('public', context.getHandler());
    return isPublic || super.canActivate(context);
  }
}

/** The guard of Nest's own documentation on authentication. */
@Injectable()
class JwtServiceGuard implements CanActivate {
  constructor(private readonly jwtService: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const [type, token = ''] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer') return false;
    const payload = await this.jwtService.verifyAsync<{ sub: string; roles: string[] }>(token);
    request.user = { id: payload.sub, roles: payload.roles };
    return true;
  }
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.get<string>('role', context.getHandler());
    const { user } = context.switchToHttp().getRequest<UserRequest>();
    return role === undefined || (user?.roles.includes(role) ?? false);
  }
}

@Controller('mine')
class MineController {
  @Operation() @Get('notes/:id') notes(@Param('id') id: string, @Req() request: UserRequest): unknown {
    return handled({ id, user: request.user });
  }
  @Operation() @SetMetadata('role', 'admin') @Get('payroll') payroll(): string {
    return handled('payroll');
  }
  @Operation() @SetMetadata('public', true) @Get('terms') terms(): string {
    return handled('terms');
  }
}

@Controller('own')
@UseGuards(JwtServiceGuard)
class OwnController {
  @Operation() @Get('notes') notes(@Req() request: UserRequest): unknown {
    return handled({ user: request.user });
  }
}

@Module({
  imports: [PassportModule],
  controllers: [MineController],
  providers: [
    JwtStrategy,
    { provide: APP_GUARD, useClass: PassportGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
})
class PassportedModule {}

@Module({ imports: [JwtModule.register({ secret: SECRET })], controllers: [OwnController] })
class JwtedModule {}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const user = bearer(jwt.sign({ sub: 'ada', roles: ['user'] }));
const admin = bearer(jwt.sign({ sub: 'grace', roles: ['admin'] }));
const suspended = bearer(jwt.sign({ sub: 'suspended', roles: [] }));
const expired = bearer(jwt.sign({ sub: 'ada', roles: [] }, { expiresIn: -10 }));
const forged = bearer(new JwtService({ secret: 'another' }).sign({ sub: 'ada', roles: ['admin'] }));
const [header = '', , signature = ''] = (user.headers.authorization.split(' ')[1] ?? '').split('.');
const altered = bearer(
  `${header}.${Buffer.from('{"sub":"ada","roles":["admin"]}').toString('base64url')}.${signature}`,
);

const notes = { tool: 'mine__notes', args: { id: '7' }, http: 'GET /mine/notes/7' };
const payroll = { tool: 'mine__payroll', http: 'GET /mine/payroll' };
const terms = { tool: 'mine__terms', http: 'GET /mine/terms' };
const signIn = { status: 401, view: refused('unauthorized', 'Unauthorized'), differs: HOST_HAS_TO_SIGN_IN };
fidelityTable('passport-jwt', {
  application: () => ({ imports: [PassportedModule] }),
  rows: [
    {
      what: 'knows the caller by the token of this call',
      ...notes,
      ...user,
      status: 200,
      view: content({ id: '7', user: { id: 'ada', roles: ['user'] } }),
    },
    {
      what: 'knows another caller by another token',
      ...notes,
      ...admin,
      status: 200,
      view: content({ id: '7', user: { id: 'grace', roles: ['admin'] } }),
    },
    { what: 'refuses a caller without a token', ...notes, ...signIn },
    { what: 'refuses an expired token', ...notes, ...expired, ...signIn },
    { what: 'refuses a forged token', ...notes, ...forged, ...signIn },
    { what: 'refuses an altered token', ...notes, ...altered, ...signIn },
    { what: 'refuses a caller that its strategy refuses', ...notes, ...suspended, ...signIn },
    { what: 'refuses another scheme', ...notes, headers: { authorization: 'Basic YTpi' }, ...signIn },
    { what: 'lets the role in', ...payroll, ...admin, status: 200, view: content('payroll') },
    {
      what: 'refuses another role',
      ...payroll,
      ...user,
      status: 403,
      view: refused('forbidden', 'Forbidden resource'),
    },
    { what: 'leaves a public route public', ...terms, status: 200, view: content('terms') },
  ],
});

fidelityTable('a guard of @nestjs/jwt', {
  application: () => ({ imports: [JwtedModule] }),
  rows: [
    {
      what: 'knows the caller',
      tool: 'own__notes',
      http: 'GET /own/notes',
      ...user,
      status: 200,
      view: content({ user: { id: 'ada', roles: ['user'] } }),
    },
    {
      what: 'refuses a caller without a token',
      tool: 'own__notes',
      http: 'GET /own/notes',
      status: 403,
      view: refused('forbidden', 'Forbidden resource'),
    },
  ],
});
