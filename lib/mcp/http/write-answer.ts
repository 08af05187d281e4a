import type { ServerResponse } from 'node:http';

/**
 * Writes an answer out as it comes. Its head goes with its first bytes, so that until then another answer can take its place.
 * @param replacement asked once, when the first bytes are there
 */
export async function writeAnswer(
  answer: Response,
  target: ServerResponse,
  replacement: () => Response | undefined = () => undefined,
): Promise<void> {
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  const other = replacement();
  if (other !== undefined) {
    await reader?.cancel();
    return writeAnswer(other, target);
  }
  target.writeHead(answer.status, Object.fromEntries(answer.headers));
  await writeBody(reader, first, target);
  target.end();
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Chunk = Awaited<ReturnType<Reader['read']>>;

async function writeBody(reader: Reader | undefined, first: Chunk | undefined, target: ServerResponse): Promise<void> {
  let chunk = first;
  while (reader !== undefined && chunk?.done === false) {
    if (target.destroyed) return reader.cancel();
    if (!target.write(chunk.value)) await drained(target);
    chunk = await reader.read();
  }
}

function drained(target: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      target.off('drain', done).off('close', done);
      resolve();
    };
    target.once('drain', done).once('close', done);
  });
}
