import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type Provider } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { InMemoryQueryExecutor, ListQueryBody, toCursorPage, type ListQuery } from 'nestjs-palette';
import request from 'supertest';
import { PLATFORMS, bootApplication, closeApplications } from '../support/application.js';
import { catchError } from '../support/catch-error.js';

class EventRead {
  @IsInt() id!: number;
}

const SECRET = Symbol('secret');
const EVENTS = [1, 2, 3].map((id) => ({ id }));

@Controller('events')
class EventsController {
  readonly #executor = new InMemoryQueryExecutor<EventRead>(EVENTS);

  @Get()
  async list(
    @ListQueryBody(EventRead, { paging: 'cursor', cursorSecret: { inject: SECRET } }) query: ListQuery<EventRead>,
  ): Promise<unknown> {
    return toCursorPage(query, await this.#executor.list(query));
  }
}

const providing = (secret: unknown): Provider => ({ provide: SECRET, useValue: secret });

describe.each(PLATFORMS)('the secret of cursors, from a provider, on %s', (platform) => {
  afterEach(closeApplications);

  const boot = (providers: Provider[]) => bootApplication(platform, { controllers: [EventsController], providers });

  async function pagesOf(secret: string) {
    const app = await boot([providing(secret)]);
    return async (query: object) => {
      const text = encodeURIComponent(JSON.stringify({ ...query, size: 1 }));
      const { status, body } = await request(app.getHttpServer()).get(`/events?query=${text}`);
      return { status, ...(body as { hits: EventRead[]; nextCursor: string; code?: string }) };
    };
  }

  it('is one application’s own, also where another one has the same controller', async () => {
    const [mine, replica, theirs] = [
      await pagesOf('m'.repeat(32)),
      await pagesOf('m'.repeat(32)),
      await pagesOf('t'.repeat(32)),
    ];
    const { nextCursor: after } = await mine({});
    expect(await mine({ after })).toMatchObject({ status: 200, hits: [{ id: 2 }] });
    expect(await replica({ after })).toMatchObject({ status: 200, hits: [{ id: 2 }] });
    expect(await theirs({ after })).toMatchObject({ status: 400, code: 'cursor_invalid' });
    expect(await mine({ after })).toMatchObject({ status: 200 });
  });

  it.each<[string, Provider[], RegExp]>([
    ['is missing', [], /dependencies of the CursorSecretInterceptor/],
    ['is too short', [providing('hunter2')], /cursorSecret has less than 32 characters/],
    ['is no text', [providing(undefined)], /cursorSecret is not a text/],
  ])('keeps the application from starting where it %s', async (_what, providers, message) => {
    const error = await catchError(() => boot(providers));
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(error.message).not.toContain('hunter2');
  });
});
