import { Controller, Get, Version, VersioningType } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

@Controller('notes')
class NotesController {
  @Operation({ name: 'first' }) @Version('1') @Get() first(): unknown {
    return { version: 1 };
  }
  @Operation({ name: 'second' }) @Version('2') @Get() second(): unknown {
    return { version: 2 };
  }
}

/** The header that a version is told by may be one that is forwarded: what the tool was declared for decides, not the client. */
describe.each(PLATFORMS)('a header that a route is chosen by, and that is forwarded, on %s', (platform) => {
  afterEach(closeApplications);

  it.each([
    ['first', 1],
    ['second', 2],
  ])('is that of the operation: %s', async (name, version) => {
    const { call } = await bootDispatching(
      platform,
      { controllers: [NotesController] },
      {
        dispatch: { forwardHeaders: ['x-version'] },
        configure: (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' }),
      },
    );
    for (const own of ['1', '2', '3']) {
      const result = await call(name, {}, { headers: { 'x-version': own } });
      expect(result).toEqual({ toolCallId: 'call-1', isError: false, content: { version } });
    }
  });
});
