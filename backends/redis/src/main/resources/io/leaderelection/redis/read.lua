-- KEYS[1] is the record. Answers its state, then node, incarnation, token, the time it is
-- held still, and the nodes that stand by.

local record, state = load(KEYS[1])
if not record then
	return answer({state})
end
local held = record.ends > now
local view = {'present', held and record.node, held and record.incarnation, record.token,
	decimal(held and math.min(record.ends - now, record.duration) or 0)}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
	if string.sub(fields[i], 1, 8) == 'standby:' and (micros(fields[i + 1]) or 0) > now then
		view[#view + 1] = string.sub(fields[i], 9)
	end
end
return answer(view)
