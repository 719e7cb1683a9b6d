-- KEYS are records. ARGV[1] is the channel; then come for each record: election, node,
-- incarnation, token. Answers why the waiting could not be woken, if so.

local failure = false
for i = 1, #KEYS do
	local at = 4 * i - 2
	local record = load(KEYS[i])
	if record and isHeldWith(record, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]) then
		redis.call('HDEL', KEYS[i], 'node', 'incarnation')
		redis.call('HSET', KEYS[i], 'until', '0')
		failure = publish(ARGV[1], ARGV[at]) or failure
	end
end
return answer({failure})
