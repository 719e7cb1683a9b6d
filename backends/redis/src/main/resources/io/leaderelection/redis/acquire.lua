local function standBy(key, node, duration)
	redis.call('HSET', key, 'standby:' .. node, decimal(now + 2 * duration))
	if redis.call('HLEN', key) <= #FIELDS + MOST_STANDBY then
		return
	end
	local fields = redis.call('HGETALL', key)
	for i = 1, #fields, 2 do
		if string.sub(fields[i], 1, 8) == 'standby:' and (micros(fields[i + 1]) or 0) <= now then
			redis.call('HDEL', key, fields[i])
		end
	end
	if redis.call('HLEN', key) > #FIELDS + MOST_STANDBY then
		redis.call('HDEL', key, 'standby:' .. node)
	end
end

local function nextToken(last, floor)
	local token, time = successor(exceeds(last, floor) and last or floor), decimal(now)
	return exceeds(time, token) and time or token
end

return answerEach(function(key, record, state, candidate, quarantineEnds)
	local node, duration = candidate.node, candidate.duration
	if state == 'garbled' or (not record and not candidate.create) then
		return {state}
	end
	if record and record.ends > now then
		if record.ends > now + record.duration then
			-- the clock was set back, or is another server's
			record.ends = now + record.duration
			redis.call('HSET', key, 'until', decimal(record.ends))
		end
		if record.node == node and record.incarnation == candidate.incarnation
				and exceeds(record.token, candidate.token) then
			prolong(key, record.token, duration)
			return {'granted', record.token}
		end
		if record.reserved ~= node then
			standBy(key, node, duration)
			return {'held', record.node, record.token, decimal(record.ends - now), decimal(record.duration)}
		end
	end
	local last = record and record.token or '0'
	if quarantineEnds > now then
		if record then
			standBy(key, node, duration)
		end
		return {'held', false, last, decimal(quarantineEnds - now), decimal(duration)}
	end
	local token = nextToken(last, candidate.token)
	if exceeds(token, GREATEST) then
		return {'exhausted'}
	end
	hold(key, node, candidate.incarnation, token, duration)
	return {'granted', token}
end)
