import type { ExecutionContext } from '@nestjs/common';

/** What requests of Express and Fastify have in common. */
export interface AnyRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly url: string;
  readonly method: string;
  readonly body?: unknown;
  readonly query?: unknown;
  readonly ip?: string;
}

export function requestOf(context: ExecutionContext): AnyRequest {
  return context.switchToHttp().getRequest<AnyRequest>();
}

/** Whether the caller asked a place of the application to act up: `x-refuse: class-guard`. */
export function isAskedTo(request: AnyRequest, header: string, place: string): boolean {
  return request.headers[header] === place;
}
