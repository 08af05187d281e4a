import { createHash } from 'node:crypto';
import { APPROVALS } from './shared/approvals.js';
import { CALLS } from './shared/calls.js';
import { CONVERSATIONS } from './shared/conversations.js';
import { BASICS } from './shared/basics.js';

/** A script that Redis runs in one go: nothing else happens meanwhile. */
export interface LuaScript {
  readonly source: string;
  /** What Redis knows it by once it has been run: the SHA-1 of its source. */
  readonly sha: string;
}

/**
 * A script of the store, behind the functions that scripts share. Redis takes nothing back of a script that fails: each one
 * checks everything before it writes anything, and writes first what a full server refuses.
 *
 * @param body replies with an array that begins with what came of it
 */
export function luaScript(body: string): LuaScript {
  const source = [BASICS, CONVERSATIONS, CALLS, APPROVALS, body].join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** As `luaScript`, for what happens in the conversation `id`, which the body finds in `conversation`. */
export function conversationScript(body: string): LuaScript {
  return luaScript(`
local id = input.conversationId
local conversation = hashOf(keyOf('conversation', id))
if not conversation then
  return { 'conversation_unknown' }
end
${body}`);
}
