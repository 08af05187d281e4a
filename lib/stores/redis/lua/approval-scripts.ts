import { luaScript } from './lua-script.js';

/**
 * `{ approvalId, who, by, verdict, argumentsHash, wantedHash, edited?, vote, comment?, results }`: the kind of the outcome,
 * and the approval's row unless it is `unknown`. The rules are those of `judge` and `followed` of the ledger.
 */
export const DECIDE = luaScript(`
local approvalId = input.approvalId
local approval = approvalOf(approvalId)
if not approval then
  return { 'unknown' }
end
local id, callId = approval.conversationId, approval.callId
local call = hashOf(callKey(id, callId))

local function answer(kind)
  return { kind, approvalRow(approvalId, approval) }
end

-- The last vote of the person who decides.
local votes, last = redis.call('LRANGE', keyOf('votes', approvalId), 0, -1), nil
for at = 1, #votes, 4 do
  if votes[at] == input.who then
    last = { verdict = votes[at + 1], argumentsHash = votes[at + 2] }
  end
end
local isSame = last and last.verdict == input.verdict and last.argumentsHash == input.wantedHash

if approval.state == 'expired' then
  return answer('expired')
elseif approval.state ~= 'pending' then
  local wanted = input.verdict == 'approve' and 'approved' or 'denied'
  return answer(approval.state == wanted and isSame and 'repeated' or 'conflict')
elseif tonumber(approval.expiresAt) <= now then
  endApproval(approvalId, approval, { state = 'expired', result = input.results.expired })
  return answer('expired')
elseif isSame then
  return answer('repeated')
elseif last and last.argumentsHash == call.argumentsHash then
  return answer('conflict')
elseif input.argumentsHash ~= call.argumentsHash then
  return answer('stale')
end

local vote = '{"at":' .. int(now) .. ',' .. input.vote:sub(2)
redis.call('RPUSH', keyOf('votes', approvalId), input.who, input.verdict, input.wantedHash, vote)
if input.wantedHash ~= call.argumentsHash then
  redis.call('HSETNX', callKey(id, callId), 'originalArguments', call.arguments)
  saveCall(id, callId, 'arguments', input.edited, 'argumentsHash', input.wantedHash)
end

local standing = 1
for at = 1, #votes, 4 do
  if votes[at + 2] == input.wantedHash then
    standing = standing + 1
  end
end
local ending = { by = input.by, comment = input.comment }
if input.verdict == 'deny' then
  ending.state, ending.result = 'denied', input.results.denied
elseif standing >= tonumber(approval.quorum) then
  ending.state = 'approved'
else
  saveCall(id, callId)
  return answer('counted')
end
endApproval(approvalId, approval, ending)
return answer('decided')
`);

/** `{ approvalId }`: `approval` and its row, or `none`. */
export const READ_APPROVAL = luaScript(`
local approval = approvalOf(input.approvalId)
if not approval then
  return { 'none' }
end
return { 'approval', approvalRow(input.approvalId, approval) }
`);

/**
 * `{ after, limit, batch, isPending, conversationId?, states?, wanted }`: `approvals`; their rows, each with its position;
 * and the position to go on from, 0 where there are no more. It looks at one batch, so that a long list holds nobody up.
 */
export const READ_APPROVALS = luaScript(`
local list = base .. (input.isPending and ':pending' or ':approvals')
if input.conversationId then
  list = keyOf('approvals', input.conversationId)
end
local states = input.states and setOf(input.states)

local function isWanted(approval)
  if states and not states[approval.state] then
    return false
  end
  for name, value in pairs(input.wanted) do
    if approval[name] ~= value then
      return false
    end
  end
  return true
end

local rows, last = {}, 0
local found = redis.call('ZRANGEBYSCORE', list, '(' .. int(input.after), '+inf', 'WITHSCORES', 'LIMIT', 0, input.batch)
for at = 1, #found, 2 do
  local approvalId, position = found[at], found[at + 1]
  local approval = approvalOf(approvalId)
  if isWanted(approval) then
    rows[#rows + 1] = { position, approvalRow(approvalId, approval) }
  end
  if #rows == input.limit then
    return { 'approvals', rows, 0 }
  end
  last = tonumber(position)
end
return { 'approvals', rows, #found == input.batch * 2 and last or 0 }
`);

/** `{ limit, result }`: `approvals`, and the rows of those that it expired. */
export const EXPIRE_APPROVALS = luaScript(`
local rows = {}
local due = redis.call('ZRANGEBYSCORE', base .. ':expiring', '-inf', int(now), 'LIMIT', 0, input.limit)
for at, approvalId in ipairs(due) do
  local approval = approvalOf(approvalId)
  endApproval(approvalId, approval, { state = 'expired', result = input.result })
  rows[at] = approvalRow(approvalId, approval)
end
return { 'approvals', rows }
`);
