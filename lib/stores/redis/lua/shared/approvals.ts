/**
 * `approval:<id>` is a hash; its arguments are its call's. `votes:<approval>` is a list of four texts a vote: who, what, the
 * hash of the arguments, and the vote as JSON. `approvals`, and `approvals:<conversation>`, have all of them in the order in
 * which they were asked for, `pending` those that are, `expiring` the same by their ends.
 */
export const APPROVALS = `
local function approvalOf(approvalId)
  return hashOf(keyOf('approval', approvalId))
end

local function approvalRow(approvalId, approval)
  return {
    redis.call('HGETALL', keyOf('approval', approvalId)),
    callRow(approval.conversationId, approval.callId),
    redis.call('LRANGE', keyOf('votes', approvalId), 0, -1),
  }
end

local function insertApproval(id, approval)
  local position = redis.call('INCR', base .. ':last-approval')
  local expiresAt = int(now + approval.expiresInMs)
  redis.call('HSET', keyOf('approval', approval.approvalId), 'state', 'pending', 'createdAt', int(now),
    'expiresAt', expiresAt, unpack(approval.fields))
  redis.call('ZADD', base .. ':approvals', position, approval.approvalId)
  redis.call('ZADD', keyOf('approvals', id), position, approval.approvalId)
  redis.call('ZADD', base .. ':pending', position, approval.approvalId)
  redis.call('ZADD', base .. ':expiring', expiresAt, approval.approvalId)
  redis.call('HINCRBY', keyOf('conversation', id), 'pendingApprovals', 1)
end

local function decisionText(approvalId, approval, ending, isEdited)
  return table.concat({
    '{"type":"approval_decision","runId":"', approval.runId, '","callId":"', approval.callId,
    '","approvalId":"', approvalId, '","outcome":"', ending.state, '"',
    ending.by and ',"by":' .. ending.by or '',
    ending.comment and ',"comment":' .. ending.comment or '',
    ',"isEdited":', isEdited and 'true' or 'false', '}',
  })
end

-- Settles a pending approval, and what follows: for its call, for the conversation, for the journal. The ending is a state,
-- and as JSON where there is one: who brought it about, the comment, the result of the call.
local function endApproval(approvalId, approval, ending)
  local id = approval.conversationId
  redis.call('HSET', keyOf('approval', approvalId), 'state', ending.state, 'decidedAt', int(now))
  redis.call('ZREM', base .. ':pending', approvalId)
  redis.call('ZREM', base .. ':expiring', approvalId)
  redis.call('HINCRBY', keyOf('conversation', id), 'pendingApprovals', -1)
  if ending.state == 'approved' then
    saveCall(id, approval.callId, 'state', 'ready')
  else
    saveCall(id, approval.callId, 'state', ending.state, 'result', ending.result)
  end
  local isEdited = redis.call('HEXISTS', callKey(id, approval.callId), 'originalArguments') == 1
  put(id, { { type = 'approval_decision', text = decisionText(approvalId, approval, ending, isEdited) } })
  index(id)
end
`;
