import { conversationScript, luaScript } from './lua-script.js';

/** `{ conversationId, holder, leaseMs }`: `claimed`, the fence and the end of the lease; or `none`. */
export const CLAIM_RUN = conversationScript(`
if isHeld(conversation) and conversation.holder ~= input.holder then
  return { 'none' }
end
local key = keyOf('conversation', id)
local fence = redis.call('HINCRBY', key, 'fence', 1)
local leaseEndsAt = int(now + input.leaseMs)
redis.call('HSET', key, 'holder', input.holder, 'leaseEndsAt', leaseEndsAt, 'updatedAt', int(now))
index(id)
return { 'claimed', fence, leaseEndsAt }
`);

/** `{ conversationId, holder, fence, leaseMs }`: as `CLAIM_RUN`. */
export const RENEW_RUN = conversationScript(`
if conversation.holder ~= input.holder or not isLive(conversation, input.fence) then
  return { 'none' }
end
local leaseEndsAt = int(now + input.leaseMs)
redis.call('HSET', keyOf('conversation', id), 'leaseEndsAt', leaseEndsAt)
index(id)
return { 'claimed', input.fence, leaseEndsAt }
`);

/** `{ conversationId, holder, fence }`. */
export const RELEASE_RUN = conversationScript(`
if conversation.holder == input.holder and tonumber(conversation.fence) == input.fence then
  redis.call('HDEL', keyOf('conversation', id), 'holder')
  index(id)
end
return { 'released' }
`);

/** `{ limit }`: `runnable`, and ids. What a lease held back comes to the others when the lease has ended. */
export const RUNNABLE = luaScript(`
for _, id in ipairs(redis.call('ZRANGEBYSCORE', base .. ':leased', '-inf', int(now))) do
  index(id)
end
if input.limit < 1 then
  return { 'runnable', {} }
end
return { 'runnable', redis.call('ZRANGE', base .. ':runnable', 0, int(input.limit - 1)) }
`);
