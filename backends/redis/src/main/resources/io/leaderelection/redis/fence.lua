-- Put before what is to be fenced. KEYS[1] is where the highest token is kept, ARGV[1] the
-- token, ARGV[2] the number of the call, which every answer begins with; the other keys and
-- arguments belong to what follows. Tokens may be larger than Lua's numbers are exact, so they
-- are compared as decimal strings.

local token = ARGV[1]
local newest = redis.pcall('GET', KEYS[1])
if newest and (type(newest) ~= 'string' or not string.match(newest, '^[1-9]%d*$') or #newest > 19) then
	return redis.error_reply('LEADERELECTION_NOFENCE ' .. KEYS[1])
end
if newest and (#newest > #token or (#newest == #token and newest > token)) then
	return {ARGV[2], 'stale', newest}
end
if newest ~= token then
	redis.call('SET', KEYS[1], token)
end

local function fenced(KEYS, ARGV)
