-- Put before each of the other scripts. Times are the server's, in microseconds, and exact
-- in Lua's numbers until the year 2255. Tokens may be larger than that, so they are
-- compared and counted as decimal strings. The last of ARGV is the number of the call, which
-- every answer begins with.

local GREATEST = '9223372036854775807'
local LONGEST_LEASE = 366 * 24 * 3600 * 1000000
local KEPT = 90 * 24 * 3600 * 1000000
local FIELDS = {'token', 'until', 'duration', 'node', 'incarnation', 'reserved'}
local MOST_STANDBY = 100

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

local function decimal(number)
	return string.format('%.0f', number)
end

-- A time or duration as it is written here; nothing for all else that tonumber takes, such
-- as nan, which no comparison finds out of range, fractions and hexadecimal numbers.
local function micros(text)
	return text and #text <= 16 and string.match(text, '^%d+$') and tonumber(text) or nil
end

local function exceeds(one, other)
	return #one > #other or (#one == #other and one > other)
end

local function successor(token)
	local head, nines = string.match(token, '^(%d-)(9*)$')
	if head == '' then
		return '1' .. string.rep('0', #nines)
	end
	local last = tonumber(string.sub(head, -1)) + 1
	return string.sub(head, 1, -2) .. decimal(last) .. string.rep('0', #nines)
end

-- The record of an election; nothing if there is none or none that can be read, and then
-- why: a hash whose fields make no sense ('garbled'), or another type of key ('foreign').
local function load(key)
	local values = redis.pcall('HMGET', key, unpack(FIELDS))
	if values.err then
		if string.find(values.err, 'WRONGTYPE', 1, true) then
			return nil, 'foreign'
		end
		redis.call('HMGET', key, unpack(FIELDS))
	end
	local token, ends, duration = values[1], micros(values[2]), micros(values[3])
	if not token and redis.call('EXISTS', key) == 0 then
		return nil, 'absent'
	end
	if not token or not string.match(token, '^[1-9]%d*$') or not exceeds(GREATEST, token)
			or not ends
			or not duration or duration <= 0 or duration > LONGEST_LEASE then
		return nil, 'garbled'
	end
	return {token = token, ends = ends, duration = duration,
		node = values[4], incarnation = values[5], reserved = values[6]}
end

local function isHeldWith(record, node, incarnation, token)
	return record.ends > now and record.node == node and record.incarnation == incarnation
		and record.token == token
end

-- A record is forgotten long after its last use, unless its token is so far ahead of the
-- clock that the next one, taken from the clock, would be lower.
local function keep(key, token, ends)
	local forgotten = ends + KEPT
	if exceeds(token, decimal(forgotten)) then
		redis.call('PERSIST', key)
	else
		redis.call('PEXPIREAT', key, decimal(math.floor(forgotten / 1000)))
	end
end

local function prolong(key, token, duration)
	redis.call('HSET', key, 'until', decimal(now + duration), 'duration', decimal(duration))
	keep(key, token, now + duration)
end

local function hold(key, node, incarnation, token, duration)
	redis.call('HDEL', key, 'reserved', 'standby:' .. node)
	redis.call('HSET', key, 'node', node, 'incarnation', incarnation, 'token', token)
	prolong(key, token, duration)
end

-- Hints are worth less than the change that they tell of: a user who may not publish
-- releases all the same.
local function publish(channel, election)
	local answer = redis.pcall('PUBLISH', channel, election)
	return type(answer) == 'table' and answer.err or false
end

local function answer(values)
	return {ARGV[#ARGV], values}
end
