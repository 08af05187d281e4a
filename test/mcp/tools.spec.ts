import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { AnswersController, handled, NotesController, usePipes } from '../dispatch/notes-application.js';
import { serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

const NOTES = { controllers: [NotesController, AnswersController] };
const READER = { authorization: 'Bearer reader' };

describe.each(PLATFORMS)('tools over MCP on %s', (platform) => {
  afterEach(async () => {
    handled.length = 0;
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it('are listed and called', async () => {
      const { url } = await serve(platform, NOTES, { configure: usePipes });
      const client = await connect(kind, url, READER);
      const tools = await client.tools();
      expect(tools.map(({ name }) => name)).toContain('notes__search');
      const outcome = await client.call('notes__read', { id: '7' });
      expect(outcome).toMatchObject({ isError: false, structured: { id: '7' }, text: '{"id":"7"}' });
    });
  });
});
