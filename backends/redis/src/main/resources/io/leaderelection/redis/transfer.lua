-- KEYS[1] is the record. ARGV: channel, election, node, incarnation, token, the node to
-- reserve for, how long. Answers why the waiting could not be woken, if so.

local record = load(KEYS[1])
if record and isHeldWith(record, ARGV[3], ARGV[4], ARGV[5]) then
	redis.call('HDEL', KEYS[1], 'node', 'incarnation')
	redis.call('HSET', KEYS[1], 'reserved', ARGV[6])
	prolong(KEYS[1], record.token, tonumber(ARGV[7]))
	return answer({publish(ARGV[1], ARGV[2])})
end
return answer({false})
