import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { writeAnswer } from '../../lib/mcp/http/write-answer.js';
import { catchError } from '../support/catch-error.js';

const EVENTS = { headers: { 'content-type': 'text/event-stream' } };

/** Gives the texts one after the other, and then ends, or fails. */
function streamOf(texts: readonly string[], failure?: Error): ReadableStream<Uint8Array> {
  const left = [...texts];
  return new ReadableStream({
    pull: (controller) => {
      const text = left.shift();
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text));
      else if (failure === undefined) controller.close();
      else controller.error(failure);
    },
  });
}

describe('an answer that is written out', () => {
  let server: Server | undefined;
  afterEach(() => new Promise((resolve) => server?.close(resolve)));

  async function fetchFrom(answer: () => Response): Promise<Response> {
    server = createServer((_request, response) => void writeAnswer(answer(), response));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    return fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
  }

  it('is whole where its stream is', async () => {
    const answer = await fetchFrom(() => new Response(streamOf(['data: ä\n\n', 'data: b\n\n']), EVENTS));
    expect(await answer.text()).toBe('data: ä\n\ndata: b\n\n');
  });

  it('does not look whole where its stream breaks off', async () => {
    const broken = () => new Response(streamOf(['data: a\n\n'], new Error('broken')), EVENTS);
    const error = await catchError(async () => (await fetchFrom(broken)).text());
    expect(error.message).toMatch(/terminated|fetch failed/);
  });

  it('is bytes as they are where it is no stream', async () => {
    const answer = await fetchFrom(() => new Response(Buffer.from([0x7b, 0xff, 0x7d]), { status: 202 }));
    expect([answer.status, answer.headers.get('content-length')]).toEqual([202, '3']);
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0x7b, 0xff, 0x7d]);
  });
});
