import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Caller, Operation, type CallerContext } from 'nestjs-palette';
import { LoneResultTransport } from '../../lib/mcp/http/lone-result-transport.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { eventually } from '../support/eventually.js';
import { serve } from './support/applications.js';
import { closeClients, connect } from './support/clients.js';
import { messageIn, modernBody, modernHeaders, send } from './support/raw.js';

const seen = { begun: 0, aborted: 0 };

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query', description: 'Read notes, of which one is “ä”.' })
  @Get()
  read(): unknown {
    return { notes: ['a', 'ä'] };
  }

  @Operation({ description: 'Waits until its caller goes away.' })
  @Post('wait')
  @HttpCode(200)
  async wait(@Caller() { signal }: CallerContext): Promise<unknown> {
    seen.begun += 1;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    seen.aborted += 1;
    return {};
  }
}

const NOTES = { controllers: [NotesController] };
const READ = modernBody('tools/call', { name: 'notes__read', arguments: {} });
const ENCODED = `=?base64?${Buffer.from('notes__read').toString('base64')}?=`;

describe.each(PLATFORMS)('a request that is plainly in order, on %s', (platform) => {
  let served: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    Object.assign(seen, { begun: 0, aborted: 0 });
    served = jest.spyOn(LoneResultTransport.prototype, 'answer');
  });
  afterEach(async () => {
    served.mockRestore();
    await closeApplications();
  });

  it('is answered as by the entry of the protocol, without the detour', async () => {
    const { base } = await serve(platform, NOTES);
    const plain = await send(base, { headers: modernHeaders('tools/call', 'notes__read'), body: READ });
    expect(served).toHaveBeenCalledTimes(1);
    const other = await send(base, { headers: modernHeaders('tools/call', ENCODED), body: READ });
    expect(served).toHaveBeenCalledTimes(1);
    const told = ({ status, headers, text }: typeof plain) => [status, headers['content-type'], text];
    expect(told(plain)).toEqual(told(other));
    expect(plain.headers['content-length']).toBe(String(Buffer.byteLength(plain.text)));
    expect(messageIn(plain).result).toMatchObject({ structuredContent: { notes: ['a', 'ä'] } });
    const list = await send(base, { headers: modernHeaders('tools/list'), body: modernBody('tools/list') });
    expect(served).toHaveBeenCalledTimes(2);
    expect(messageIn(list).result).toMatchObject({ tools: [{ name: 'notes__read' }, { name: 'notes__wait' }] });
  });

  it('is told of what is wrong with it as by the entry of the protocol', async () => {
    const { base } = await serve(platform, NOTES);
    const unknown = (name: string) =>
      send(base, {
        headers: modernHeaders('tools/call', name),
        body: modernBody('tools/call', { name: 'notes__none', arguments: {} }),
      });
    const plain = await unknown('notes__none');
    const other = await unknown(`=?base64?${Buffer.from('notes__none').toString('base64')}?=`);
    expect(served).toHaveBeenCalledTimes(1);
    expect([plain.status, plain.text]).toEqual([other.status, other.text]);
    expect(messageIn(plain).error).toMatchObject({ code: -32_602, data: { code: 'tool_unknown' } });
  });

  const modern = modernHeaders('tools/call', 'notes__read');
  const { 'mcp-method': _method, ...withoutMethod } = modern;
  const { 'mcp-name': _name, ...withoutName } = modern;
  const { 'mcp-protocol-version': _version, ...withoutVersion } = modern;

  it.each([
    ['names another tool in its header', { ...modern, 'mcp-name': 'notes__wait' }, READ, -32_020],
    ['names no tool in its header', withoutName, READ, -32_020],
    ['names another method in its header', { ...modern, 'mcp-method': 'tools/list' }, READ, -32_020],
    ['names no method in its header', withoutMethod, READ, -32_020],
    ['names another revision in its header', { ...modern, 'mcp-protocol-version': '2025-11-25' }, READ, -32_020],
    ['names no revision in its header', withoutVersion, READ, -32_020],
    [
      'is of a revision that is not served',
      { ...modern, 'mcp-protocol-version': '2099-01-01' },
      READ.replace('2026-07-28', '2099-01-01'),
      -32_022,
    ],
    ['tells nothing of its client', modern, READ.replace('clientCapabilities', 'another'), -32_602],
    ['has no name that is text', modern, READ.replace('"notes__read"', '7'), -32_602],
  ])('is none where it %s', async (_what, headers, body, code) => {
    const { base } = await serve(platform, NOTES);
    const answer = await send(base, { headers, body });
    expect(messageIn(answer).error).toMatchObject({ code });
    expect(served).not.toHaveBeenCalled();
  });

  it('is none where it is a notification or one of several messages', async () => {
    const { base } = await serve(platform, NOTES);
    const { id: _id, ...notification } = JSON.parse(READ) as Record<string, unknown>;
    await send(base, { headers: modern, body: JSON.stringify(notification) });
    const batch = await send(base, { headers: modern, body: `[${READ}]` });
    expect(batch.status).toBe(400);
    expect(served).not.toHaveBeenCalled();
  });

  it('is ended, with its call, when its client goes away', async () => {
    const { url } = await serve(platform, NOTES);
    const client = await connect('2026-07-28, client 2', url);
    const call = catchError(() => client.call('notes__wait'));
    await eventually(() => expect(seen.begun).toBe(1));
    await closeClients();
    await call;
    await eventually(() => expect(seen.aborted).toBe(1));
    expect(served).toHaveBeenCalled();
  });

  it('is answered where what its caller sees cannot be told', async () => {
    const visible = (): boolean => {
      throw new Error('a secret');
    };
    const { base } = await serve(platform, NOTES, { palette: { visible } });
    const answer = await send(base, { headers: modern, body: READ });
    expect([answer.status, messageIn(answer).error?.code, served.mock.calls.length]).toEqual([500, -32_603, 0]);
    expect(answer.text).not.toContain('a secret');
  });
});
