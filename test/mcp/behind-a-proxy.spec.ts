import { Controller, Get } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServeOptions } from './support/applications.js';
import { ERAS, messageIn, send } from './support/raw.js';
import { opening, toolCall, withHeaders } from './support/tool-calls.js';

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query' }) @Get() read(): unknown {
    return { notes: 1 };
  }
}

const PUBLIC = { host: 'api.example.com' };
const LOCAL_PAGES = ['http://localhost', 'http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]'];

// Every connection to it comes from this machine, and so would that of a proxy.
describe.each(PLATFORMS)('an endpoint behind a proxy on the same machine, on %s', (platform) => {
  afterEach(closeApplications);

  describe.each(ERAS)('in the era of %s', (era) => {
    const answersTo = async (headers: Record<string, string>, mcp: NonNullable<ServeOptions['mcp']>) => {
      const { base } = await serve(platform, { controllers: [NotesController] }, { mcp });
      const answers = [];
      for (const request of [opening(era), toolCall(era, 'notes__read')]) {
        const answer = await send(base, withHeaders(request, headers));
        answers.push([answer.status, messageIn(answer).error?.data]);
      }
      return answers;
    };
    const SERVED = [
      [200, undefined],
      [200, undefined],
    ];
    const REFUSED = Array.from({ length: 2 }, () => [403, { code: 'mcp_origin_refused' }]);

    it.each(LOCAL_PAGES)('is open to no page of whoever’s own machine: %s', async (origin) => {
      expect(await answersTo({ ...PUBLIC, origin }, { allowedHosts: ['api.example.com'] })).toEqual(REFUSED);
    });

    it('is open to what is no page, and to the pages that are listed', async () => {
      const allowed = { allowedHosts: ['api.example.com'], allowedOrigins: ['http://localhost:5173'] };
      expect(await answersTo(PUBLIC, { allowedHosts: ['api.example.com'] })).toEqual(SERVED);
      expect(await answersTo({ ...PUBLIC, origin: 'http://localhost:5173' }, allowed)).toEqual(SERVED);
      expect(await answersTo({ ...PUBLIC, origin: 'http://localhost:5174' }, allowed)).toEqual(REFUSED);
    });

    it('is open to pages of this machine that call it by a name of this machine', async () => {
      const both = { allowedHosts: ['api.example.com', 'localhost'] };
      expect(await answersTo({ host: 'localhost:3000', origin: 'http://localhost:5173' }, both)).toEqual(SERVED);
      expect(await answersTo({ origin: 'http://localhost:5173' }, {})).toEqual(SERVED);
    });
  });
});
