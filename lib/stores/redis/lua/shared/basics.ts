/**
 * What each script begins with. Its one key is what every key of the store begins with, a hash tag included, so that a
 * cluster has all of them on one node. Its arguments: the input as JSON, and what the channels of journals begin with, which
 * is empty where nobody is to be told. Texts of the input have been escaped by `toText`, and are compared as they are.
 */
export const BASICS = `
local base, channel = KEYS[1], ARGV[2]
local input = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- A whole number as text: Lua has a way of its own with large ones.
local function int(number)
  return string.format('%.0f', number)
end

local function keyOf(kind, id)
  return base .. ':' .. kind .. ':' .. id
end

-- A hash as a table; nil where there is none.
local function hashOf(key)
  local flat = redis.call('HGETALL', key)
  if #flat == 0 then
    return nil
  end
  local found = {}
  for at = 1, #flat, 2 do
    found[flat[at]] = flat[at + 1]
  end
  return found
end

local function setOf(values)
  local found = {}
  for _, value in ipairs(values) do
    found[value] = true
  end
  return found
end
`;
