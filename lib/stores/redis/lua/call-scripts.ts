import { conversationScript, luaScript } from './lua-script.js';

/** `{ conversationId, runId?, step?, states? }`: `calls`, and rows in order. A step without a run is not looked at. */
export const READ_CALLS = conversationScript(`
local rows, wanted = {}, input.states and setOf(input.states)
local places
if input.runId then
  local run = redis.call('HGET', keyOf('runs', id), input.runId)
  if not run then
    return { 'calls', rows }
  end
  local first = placeOf(run) .. (input.step and placeOf(input.step) or '')
  -- A colon comes behind every digit and the blank.
  places = redis.call('ZRANGEBYLEX', keyOf('calls', id), '[' .. first, '(' .. first .. ':')
else
  places = redis.call('ZRANGE', keyOf('calls', id), 0, -1)
end
for _, place in ipairs(places) do
  local callId = callIdAt(place)
  if not wanted or wanted[redis.call('HGET', callKey(id, callId), 'state')] then
    rows[#rows + 1] = callRow(id, callId)
  end
end
return { 'calls', rows }
`);

/**
 * `{ conversationId, callId, fence, attempt }`: `call` and its row, or `none`. The same attempt again, as a client sends it
 * that lost its connection before it had the answer, is given the same answer.
 */
export const CLAIM_CALL = conversationScript(`
local call = hashOf(callKey(id, input.callId))
if not call or not isLive(conversation, input.fence) then
  return { 'none' }
end
if call.state == 'executing' and call.attempt == input.attempt then
  return { 'call', callRow(id, input.callId) }
end
if call.state ~= 'ready' and not (call.isRepeatable == '1' and isLeftBehind(call, input.fence)) then
  return { 'none' }
end
saveCall(id, input.callId, 'state', 'executing', 'fence', int(input.fence), 'attempts', int(call.attempts + 1),
  'attempt', input.attempt)
return { 'call', callRow(id, input.callId) }
`);

/** `{ conversationId, callId, fence, state, result, attempt }`: `settled` or `none`; a repeat as in `CLAIM_CALL`. */
export const SETTLE_CALL = conversationScript(`
local call = hashOf(callKey(id, input.callId))
if not call then
  return { 'none' }
end
if call.settlement == input.attempt then
  return { 'settled' }
end
if call.state ~= 'executing' or tonumber(call.fence) ~= input.fence then
  return { 'none' }
end
saveCall(id, input.callId, 'state', input.state, 'result', input.result, 'settlement', input.attempt)
return { 'settled' }
`);

/** `{ conversationId, fence, result }`: `calls`, and the rows of those that it made unknown. */
export const ABANDON_CALLS = conversationScript(`
local rows = {}
if not isLive(conversation, input.fence) then
  return { 'calls', rows }
end
for _, open in ipairs(openCalls(id)) do
  if open.call.isRepeatable ~= '1' and isLeftBehind(open.call, input.fence) then
    saveCall(id, open.callId, 'state', 'unknown', 'result', input.result)
    rows[#rows + 1] = callRow(id, open.callId)
  end
end
return { 'calls', rows }
`);

/** `{ conversationId, as, by?, result, callIds? }`: `calls`, and the rows of those that it ended. */
export const WITHDRAW = conversationScript(`
local rows, wanted = {}, input.callIds and setOf(input.callIds)
for _, open in ipairs(openCalls(id)) do
  local callId, call = open.callId, open.call
  if not wanted or wanted[callId] then
    if call.state == 'waiting' then
      endApproval(call.approvalId, approvalOf(call.approvalId), { state = input.as, by = input.by, result = input.result })
      rows[#rows + 1] = callRow(id, callId)
    elseif call.state == 'ready' then
      saveCall(id, callId, 'state', input.as, 'result', input.result)
      rows[#rows + 1] = callRow(id, callId)
    end
  end
end
return { 'calls', rows }
`);

/** `{ limit }`: `calls`, and rows. */
export const UNKNOWN_CALLS = luaScript(`
local rows = {}
if input.limit < 1 then
  return { 'calls', rows }
end
for at, name in ipairs(redis.call('ZRANGE', base .. ':unknown', 0, int(input.limit - 1))) do
  rows[at] = redis.call('HGETALL', keyOf('call', name))
end
return { 'calls', rows }
`);

/** `{ conversationId, callId, by }`: `acknowledged` or `none`. */
export const ACKNOWLEDGE_UNKNOWN = conversationScript(`
local name = callName(id, input.callId)
if not redis.call('ZSCORE', base .. ':unknown', name) then
  return { 'none' }
end
redis.call('HSET', callKey(id, input.callId), 'acknowledgedAt', int(now), 'acknowledgedBy', input.by)
redis.call('ZREM', base .. ':unknown', name)
return { 'acknowledged' }
`);
