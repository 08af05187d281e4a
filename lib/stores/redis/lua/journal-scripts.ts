import { conversationScript, luaScript } from './lua-script.js';

/** `{ conversationId, who, owner }`: yields it as `FIND` does, or `conversation_unknown` where it is somebody else's. */
export const OPEN = luaScript(`
local key = keyOf('conversation', input.conversationId)
if redis.call('EXISTS', key) == 0 then
  redis.call('HSET', key, 'who', input.who, 'owner', input.owner, 'createdAt', int(now), 'updatedAt', int(now),
    'fence', 0, 'leaseEndsAt', 0, 'pendingApprovals', 0)
end
if redis.call('HGET', key, 'who') ~= input.who then
  return { 'conversation_unknown' }
end
return { 'found', redis.call('HGETALL', key), redis.call('LLEN', keyOf('journal', input.conversationId)) }
`);

/** `{ conversationId }`: `found`, its fields and its last seq; or `none`. */
export const FIND = luaScript(`
local fields = redis.call('HGETALL', keyOf('conversation', input.conversationId))
if #fields == 0 then
  return { 'none' }
end
return { 'found', fields, redis.call('LLEN', keyOf('journal', input.conversationId)) }
`);

/** `{ conversationId, fromSeq, limit? }`: `entries`, and them. */
export const READ = conversationScript(`
return { 'entries', entriesFrom(id, input.fromSeq, input.limit) }
`);

/**
 * An append, with rows where it is a proposal: `{ conversationId, expectedSeq, fence?, operationId?, items, calls, approvals,
 * isFaulty }`. Yields `appended` or `repeated`, the first seq and the entries; `conflict` and the last seq; `fenced`; `refused`
 * and why; or `faulty`, where all is well but the rows, which do not fit together.
 */
export const WRITE = conversationScript(`
local lastSeq = redis.call('LLEN', keyOf('journal', id))

if input.operationId then
  local done = redis.call('HGET', keyOf('operations', id), input.operationId)
  if done then
    local first, count = done:match('^(%d+) (%d+)$')
    return { 'repeated', tonumber(first), entriesFrom(id, tonumber(first), tonumber(count)) }
  end
end

local isQueuing = true
for _, item in ipairs(input.items) do
  isQueuing = isQueuing and item.type == 'queued_message'
end
local mayWrite = isQueuing
if input.fence then
  mayWrite = isLive(conversation, input.fence)
end
if not mayWrite then
  return { 'fenced' }
end
if input.expectedSeq ~= lastSeq then
  return { 'conflict', lastSeq }
end

if input.isFaulty then
  return { 'faulty' }
end
for _, call in ipairs(input.calls) do
  if redis.call('EXISTS', callKey(id, call.callId)) == 1 then
    return { 'refused', 'a call whose id is taken' }
  end
end
for _, approval in ipairs(input.approvals) do
  if redis.call('EXISTS', keyOf('approval', approval.approvalId)) == 1 then
    return { 'refused', 'an approval whose id is taken' }
  end
end

for _, call in ipairs(input.calls) do
  insertCall(id, call)
end
for _, approval in ipairs(input.approvals) do
  insertApproval(id, approval)
end
local entries = put(id, input.items)
if input.operationId then
  redis.call('HSET', keyOf('operations', id), input.operationId, int(lastSeq + 1) .. ' ' .. #entries)
end
index(id)
return { 'appended', lastSeq + 1, entries }
`);

/** `{ conversationId }`: `forgotten`, with everything that belongs to it; `none` where it is not there, or a run is at it. */
export const FORGET = luaScript(`
local id = input.conversationId
local conversation = hashOf(keyOf('conversation', id))
if not conversation or isHeld(conversation) then
  return { 'none' }
end
for _, approvalId in ipairs(redis.call('ZRANGE', keyOf('approvals', id), 0, -1)) do
  for _, list in ipairs({ 'approvals', 'pending', 'expiring' }) do
    redis.call('ZREM', base .. ':' .. list, approvalId)
  end
  redis.call('DEL', keyOf('approval', approvalId), keyOf('votes', approvalId))
end
for _, place in ipairs(redis.call('ZRANGE', keyOf('calls', id), 0, -1)) do
  redis.call('ZREM', base .. ':unknown', callName(id, callIdAt(place)))
  redis.call('DEL', callKey(id, callIdAt(place)))
end
for _, kind in ipairs({ 'conversation', 'journal', 'queued', 'operations', 'runs', 'calls', 'open-calls', 'approvals' }) do
  redis.call('DEL', keyOf(kind, id))
end
redis.call('ZREM', base .. ':runnable', id)
redis.call('ZREM', base .. ':leased', id)
return { 'forgotten' }
`);
