import { Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { CommandError } from '../command-error.js';
import { rootModule } from './root-module.js';

@Module({ providers: [] })
class AppModule {}

@Module({ providers: [] })
class OtherModule {}

@Module({})
class UnmarkedModule {}

const dynamic = { module: UnmarkedModule, providers: [] };

describe('rootModule', () => {
  it.each([
    ['AppModule', { OtherModule, AppModule }, undefined, AppModule],
    ['the export that is named', { OtherModule, AppModule }, 'OtherModule', OtherModule],
    ['the only module', { OtherModule, helper: () => 1, limit: 3 }, undefined, OtherModule],
    ['the only module under two names', { OtherModule, default: OtherModule }, undefined, OtherModule],
    ['the exports of a CommonJS file', { default: { OtherModule } }, undefined, OtherModule],
    ['a named export of a CommonJS file', { default: { OtherModule, AppModule } }, 'OtherModule', OtherModule],
    ['a dynamic module', { dynamic }, undefined, dynamic],
    ['a promise of one', { dynamic: Promise.resolve(dynamic) }, 'dynamic', dynamic],
    ['what a function returns', { create: () => dynamic }, 'create', dynamic],
    [
      'what an asynchronous function resolves to',
      { create: async () => Promise.resolve(OtherModule) },
      'create',
      OtherModule,
    ],
    ['a named class that `@Module({})` left no mark on', { UnmarkedModule }, 'UnmarkedModule', UnmarkedModule],
  ])('takes %s', async (_what, exports, name, expected) => {
    expect(await rootModule(exports, name, 'app.js')).toBe(expected);
  });

  it.each([
    ['a name that is not exported', { AppModule }, 'Other', 'app.js has no export "Other". It exports: AppModule.'],
    ['inherited names', { AppModule }, 'constructor', 'app.js has no export "constructor".'],
    ['no module', { helper: 1 }, undefined, 'app.js exports no module. Is it the file of the root module'],
    ['nothing', {}, undefined, 'It exports nothing.'],
    [
      'two modules',
      { OtherModule, Third: dynamic },
      undefined,
      'app.js exports several modules and none is named "AppModule"',
    ],
    ['a value', { limit: 3 }, 'limit', 'The export "limit" of app.js is no module.'],
    ['a function of something else', { create: () => 3 }, 'create', 'The export "create" of app.js is no module.'],
  ])('refuses %s', async (_what, exports, name, message) => {
    const refused = rootModule(exports, name, 'app.js');
    await expect(refused).rejects.toThrow(CommandError);
    await expect(refused).rejects.toThrow(message);
  });
});
