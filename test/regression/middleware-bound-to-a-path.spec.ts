import {
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  type MiddlewareConsumer,
  type NestMiddleware,
  type NestModule,
} from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';

// The router decoded a path that the middleware's matcher did not: the handler ran, the middleware did not.
// https://github.com/nestjs/nest/pull/16135

let passed = 0;
let handled = 0;

@Injectable()
class AuthMiddleware implements NestMiddleware {
  use(_request: unknown, _response: unknown, next: () => void): void {
    passed++;
    next();
  }
}

@Controller('admin')
class AdminController {
  @Operation() @Get() list(): string {
    handled++;
    return 'all';
  }
  @Operation() @Get(':id') read(@Param('id') id: string): { id: string } {
    handled++;
    return { id };
  }
  @Operation() @Get(':id/notes/:note') note(
    @Param('id') id: string,
    @Param('note') note: string,
  ): { id: string; note: string } {
    handled++;
    return { id, note };
  }
}

@Module({ controllers: [AdminController] })
class AdminModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AuthMiddleware).forRoutes('admin', 'admin/:id', 'admin/:id/notes/:note');
  }
}

@Module({ controllers: [AdminController] })
class AdminByControllerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AuthMiddleware).forRoutes(AdminController);
  }
}

const VALUES = [
  '1',
  'a/b',
  '%61',
  'A',
  'ü',
  'a%2Fb',
  'a?b',
  'a#b',
  '.a',
  'a.',
  '...',
  'a;b',
  '//',
  '%',
  '\\',
  ' ',
  '%2e%2e',
];

describe.each(PLATFORMS)('middleware bound to a path, on %s', (platform) => {
  describe.each([
    ['by path', AdminModule],
    ['by controller', AdminByControllerModule],
  ])('%s', (_how, module) => {
    let dispatching: Dispatching;

    beforeEach(async () => {
      dispatching = await bootDispatching(platform, { imports: [module] });
      passed = 0;
      handled = 0;
    });
    afterEach(closeApplications);

    /** How often the middleware ran for a plain request, at least once. */
    async function passedOverHttp(path: string): Promise<number> {
      passed = 0;
      await request(dispatching.app.getHttpServer() as never)
        .get(path)
        .expect(200);
      expect(passed).toBeGreaterThan(0);
      const count = passed;
      passed = 0;
      handled = 0;
      return count;
    }

    it('runs for a route without parameters', async () => {
      const count = await passedOverHttp('/admin');
      await dispatching.call('admin__list');
      expect([passed, handled]).toEqual([count, 1]);
    });

    it.each(VALUES)('runs as often as over HTTP, whatever the value: %j', async (id) => {
      const one = await passedOverHttp('/admin/1');
      expect(await dispatching.call('admin__read', { id })).toMatchObject({ content: { id } });
      expect([passed, handled]).toEqual([one, 1]);
      const two = await passedOverHttp('/admin/1/notes/2');
      expect(await dispatching.call('admin__note', { id, note: id })).toMatchObject({ content: { id, note: id } });
      expect([passed, handled]).toEqual([two, 1]);
    });
  });
});
