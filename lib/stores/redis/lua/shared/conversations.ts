import { JOURNAL_SCHEMA_VERSION } from '../../../../conversations/journal-item.js';

/**
 * `conversation:<id>` is a hash; `journal:<id>` a list of entries, `<at> <schema version> <item>` each, whose length is the
 * last `seq`; `queued:<id>` the set of queued messages that no run has taken up. `runnable` has what can go on by its last
 * write or claim, `leased` what could if nobody were at it, by the end of the lease.
 */
export const CONVERSATIONS = `
local function isHeld(conversation)
  return conversation.holder ~= nil and now < tonumber(conversation.leaseEndsAt)
end

local function isLive(conversation, fence)
  return isHeld(conversation) and tonumber(conversation.fence) == fence
end

-- Called after whatever changes a conversation. What a full server refuses comes before what it does not, here as anywhere.
local function index(id)
  local conversation = hashOf(keyOf('conversation', id))
  local isAsked = conversation.openRunId ~= nil or redis.call('SCARD', keyOf('queued', id)) > 0
  local isOpen = isAsked and tonumber(conversation.pendingApprovals) == 0
  if isOpen and isHeld(conversation) then
    redis.call('ZADD', base .. ':leased', conversation.leaseEndsAt, id)
    redis.call('ZREM', base .. ':runnable', id)
  elseif isOpen then
    redis.call('ZADD', base .. ':runnable', conversation.updatedAt, id)
    redis.call('ZREM', base .. ':leased', id)
  else
    redis.call('ZREM', base .. ':runnable', id)
    redis.call('ZREM', base .. ':leased', id)
  end
end

local function noteItem(id, item, seq)
  local key = keyOf('conversation', id)
  if item.type == 'run_started' then
    redis.call('HSET', key, 'openRunId', item.runId)
  elseif item.type == 'run_ended' and redis.call('HGET', key, 'openRunId') == item.runId then
    redis.call('HDEL', key, 'openRunId')
  elseif item.type == 'queued_message' then
    redis.call('SADD', keyOf('queued', id), int(seq))
  elseif item.type == 'user_message' and item.queuedSeq then
    redis.call('SREM', keyOf('queued', id), int(item.queuedSeq))
  end
end

-- Writes items behind the last entry, and yields the entries.
local function put(id, items)
  local entries = {}
  for at, item in ipairs(items) do
    local text = item.text
    if item.expiresInMs then
      text = text:sub(1, -2) .. ',"expiresAt":' .. int(now + item.expiresInMs) .. '}'
    end
    entries[at] = int(now) .. ' ${JOURNAL_SCHEMA_VERSION} ' .. text
    noteItem(id, item, redis.call('RPUSH', keyOf('journal', id), entries[at]))
  end
  redis.call('HSET', keyOf('conversation', id), 'updatedAt', int(now))
  if #items > 0 and channel ~= '' then
    redis.call('PUBLISH', channel .. id, '')
  end
  return entries
end

-- As LRANGE from one seq on: so many entries at most.
local function entriesFrom(id, fromSeq, count)
  if count and count < 1 then
    return {}
  end
  local last = count and fromSeq + count - 2 or -1
  return redis.call('LRANGE', keyOf('journal', id), int(fromSeq - 1), int(last))
end
`;
