import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  Param,
  ParseUUIDPipe,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiOperation, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { map, type Observable } from 'rxjs';
import { Role } from './dtos.js';

export interface Reader {
  readonly id: string;
  readonly role: Role;
}

interface RoomRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  reader?: Reader;
  language?: string;
}

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['Bearer reader', { id: 'c0ffee00-0000-4000-8000-000000000001', role: Role.Reader }],
  ['Bearer keeper', { id: 'c0ffee00-0000-4000-8000-000000000002', role: Role.Keeper }],
]);

@Injectable()
export class TokenGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RoomRequest>();
    const reader = READERS.get(request.headers['authorization'] ?? '');
    const isPublic = this.reflector.get<boolean>('isPublic', context.getHandler());
    if (reader === undefined && !isPublic) throw new UnauthorizedException();
    if (reader !== undefined) request.reader = reader;
    return true;
  }
}

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.get<readonly Role[] | undefined>('roles', context.getHandler()) ?? [];
    const { reader } = context.switchToHttp().getRequest<RoomRequest>();
    return roles.length === 0 || (reader !== undefined && roles.includes(reader.role));
  }
}

@Injectable()
export class LanguageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<RoomRequest>();
    request.language = request.headers['x-language'] ?? 'en_US';
    return next.handle().pipe(map((value: unknown) => value));
  }
}

/** One decorator stands for guards, roles, an interceptor and the documentation of a route. */
export function Access(roles: readonly Role[] = [], { isPublic = false } = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata('roles', roles),
    SetMetadata('isPublic', isPublic),
    UseGuards(TokenGuard, RolesGuard),
    ApiBearerAuth(),
    UseInterceptors(LanguageInterceptor),
    ApiUnauthorizedResponse({ description: 'Nobody is signed in.' }),
    ApiOperation(
      { summary: `For ${roles.length > 0 ? roles.join(' and ') : 'everybody'}` },
      { overrideExisting: false },
    ),
  );
}

export function UuidParam(name: string, ...pipes: (Type<PipeTransform> | PipeTransform)[]): ParameterDecorator {
  return Param(name, new ParseUUIDPipe({ version: '4' }), ...pipes);
}

export const CurrentReader = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<RoomRequest>().reader;
});

export const RequestLanguage = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<RoomRequest>().language;
});
