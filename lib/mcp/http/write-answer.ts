import type { ServerResponse } from 'node:http';
import type { JSONRPCResultResponse } from '@modelcontextprotocol/server';

/**
 * Writes an answer out: a stream of events as it comes, anything else at once. Until its first bytes are there another answer
 * can take its place.
 * @param replacement asked once, when the first bytes are there
 */
export async function writeAnswer(
  answer: Response | JSONRPCResultResponse,
  target: ServerResponse,
  replacement: () => Response | undefined = () => undefined,
): Promise<void> {
  if (!(answer instanceof Response)) return writeMessage(answer, target, replacement);
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return isStream ? writeStream(answer, target, replacement) : writeWhole(answer, target, replacement);
}

async function writeMessage(
  message: JSONRPCResultResponse,
  target: ServerResponse,
  replacement: () => Response | undefined,
): Promise<void> {
  const other = replacement();
  if (other !== undefined) return writeAnswer(other, target);
  writeBytes(target, 200, { 'content-type': 'application/json' }, JSON.stringify(message));
}

async function writeWhole(
  answer: Response,
  target: ServerResponse,
  replacement: () => Response | undefined,
): Promise<void> {
  const bytes = answer.body === null ? '' : Buffer.from(await answer.arrayBuffer());
  const other = replacement();
  if (other !== undefined) return writeAnswer(other, target);
  writeBytes(target, answer.status, Object.fromEntries(answer.headers), bytes);
}

function writeBytes(
  target: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  content: string | Buffer,
): void {
  target.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(content)) });
  target.end(content);
}

async function writeStream(
  answer: Response,
  target: ServerResponse,
  replacement: () => Response | undefined,
): Promise<void> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  target.once('close', cancel);
  try {
    let chunk = await reader.read();
    const other = replacement();
    if (other !== undefined) {
      cancel();
      return await writeAnswer(other, target);
    }
    target.writeHead(answer.status, Object.fromEntries(answer.headers));
    while (!chunk.done) {
      if (!target.write(chunk.value)) await drained(target);
      chunk = await reader.read();
    }
    target.off('close', cancel).end();
  } catch {
    // What breaks off must not look complete.
    target.destroy();
  }
}

function drained(target: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (target.destroyed) return resolve();
    const done = (): void => {
      target.off('drain', done).off('close', done);
      resolve();
    };
    target.once('drain', done).once('close', done);
  });
}
