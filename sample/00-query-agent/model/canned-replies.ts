import { EgressReply } from 'nestjs-palette';

/** What a provider of chat completions streams when it says this. */
export function said(text: string): EgressReply {
  const deltas = text.match(/\S+\s*/g) ?? [];
  return streamed(
    deltas.map((content) => ({ content })),
    'stop',
  );
}

/** What it streams when it calls a tool. */
export function called(id: string, name: string, args: object): EgressReply {
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return streamed([{ tool_calls: [call] }], 'tool_calls');
}

/** Server-sent events, cut where a network would: anywhere, in the middle of a line or of a character. */
function streamed(deltas: readonly object[], finishReason: string): EgressReply {
  const choices = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: finishReason }];
  const lines = choices.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  const bytes = Buffer.from([...lines, 'data: [DONE]\n\n'].join(''));
  return EgressReply.chunks(cut(bytes), { headers: { 'content-type': 'text/event-stream' } });
}

function* cut(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 23) yield bytes.subarray(start, start + 23);
}
