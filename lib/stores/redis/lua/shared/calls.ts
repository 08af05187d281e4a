/**
 * `call:["<conversation>","<call>"]` is a hash. `calls:<conversation>` has its calls in order, `open-calls:<conversation>`
 * those that have not ended: sorted by name, which is the place of the call and its id. `runs:<conversation>` numbers
 * its runs as they first proposed; `unknown` the unknown calls that no operator has looked at.
 */
export const CALLS = `
local function callName(id, callId)
  return '["' .. id .. '","' .. callId .. '"]'
end

local function callKey(id, callId)
  return keyOf('call', callName(id, callId))
end

local function callRow(id, callId)
  return redis.call('HGETALL', callKey(id, callId))
end

-- Run, step and index, ten digits and a blank each, go before the id.
local function placeOf(number)
  return string.format('%010d ', number)
end

local function callIdAt(place)
  return place:sub(34)
end

local openStates = setOf({ 'waiting', 'ready', 'executing' })

-- Saves what changed about a call: names and values in turn.
local function saveCall(id, callId, ...)
  local key = callKey(id, callId)
  redis.call('HSET', key, 'updatedAt', int(now), ...)
  local state, place = unpack(redis.call('HMGET', key, 'state', 'place'))
  if openStates[state] then
    redis.call('ZADD', keyOf('open-calls', id), 0, place)
  else
    redis.call('ZREM', keyOf('open-calls', id), place)
  end
  if state == 'unknown' then
    redis.call('ZADD', base .. ':unknown', int(now), callName(id, callId))
  end
end

local function insertCall(id, call)
  redis.call('HSETNX', keyOf('runs', id), call.runId, redis.call('HLEN', keyOf('runs', id)) + 1)
  local run = redis.call('HGET', keyOf('runs', id), call.runId)
  local place = placeOf(run) .. placeOf(call.step) .. placeOf(call.index) .. call.callId
  redis.call('ZADD', keyOf('calls', id), 0, place)
  redis.call('HSET', callKey(id, call.callId), 'place', place, unpack(call.fields))
  saveCall(id, call.callId)
end

local function openCalls(id)
  local found = {}
  for at, place in ipairs(redis.call('ZRANGE', keyOf('open-calls', id), 0, -1)) do
    local callId = callIdAt(place)
    found[at] = { callId = callId, call = hashOf(callKey(id, callId)) }
  end
  return found
end

-- Whether an older fence than this one left it behind.
local function isLeftBehind(call, fence)
  return call.state == 'executing' and tonumber(call.fence) < fence
end
`;
