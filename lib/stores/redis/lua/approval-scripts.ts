import { NO_VERDICT } from '../../../approvals/ledger/transitions/index.js';
import { luaScript } from './lua-script.js';

/**
 * `{ approvalId, who, by, verdict, argumentsHash, wantedHash, edited?, vote, comment?, results }`: the kind of the outcome,
 * and the approval's row unless it is `unknown`; `refused` of a verdict that is none. The rules are those of `judge` and
 * `followed` of the ledger.
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

if input.verdict ~= 'approve' and input.verdict ~= 'deny' then
  return { 'refused', '${NO_VERDICT}' }
end

-- The vote of the person who decides: the last one, and the one that stands. Votes stand that were given since the arguments
-- were changed last. No person has two of them.
local votes, last, own, standing = redis.call('LRANGE', keyOf('votes', approvalId), 0, -1), nil, nil, 0
for at = 1, #votes, 4 do
  local vote = { verdict = votes[at + 1], argumentsHash = votes[at + 2] }
  if vote.argumentsHash ~= call.argumentsHash then
    own, standing = nil, 0
  elseif vote.verdict == 'approve' then
    standing = standing + 1
  end
  if votes[at] == input.who then
    last = vote
    own = vote.argumentsHash == call.argumentsHash and vote or nil
  end
end

local function isSame(vote)
  return vote and vote.verdict == input.verdict and vote.argumentsHash == input.wantedHash
end

if approval.state == 'expired' then
  return answer('expired')
elseif approval.state ~= 'pending' then
  local wanted = input.verdict == 'approve' and 'approved' or 'denied'
  return answer(approval.state == wanted and isSame(last) and 'repeated' or 'conflict')
elseif tonumber(approval.expiresAt) <= now then
  endApproval(approvalId, approval, { state = 'expired', result = input.results.expired })
  return answer('expired')
elseif own then
  return answer(isSame(own) and 'repeated' or 'conflict')
elseif input.argumentsHash ~= call.argumentsHash then
  return answer(isSame(last) and 'repeated' or 'stale')
end

local vote = '{"at":' .. int(now) .. ',' .. input.vote:sub(2)
redis.call('RPUSH', keyOf('votes', approvalId), input.who, input.verdict, input.wantedHash, vote)
if input.wantedHash ~= call.argumentsHash then
  standing = 0
  redis.call('HSETNX', callKey(id, callId), 'originalArguments', call.arguments)
  saveCall(id, callId, 'arguments', input.edited, 'argumentsHash', input.wantedHash)
end

local ending = { by = input.by, comment = input.comment }
if input.verdict == 'deny' then
  ending.state, ending.result = 'denied', input.results.denied
elseif standing + 1 >= tonumber(approval.quorum) then
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
