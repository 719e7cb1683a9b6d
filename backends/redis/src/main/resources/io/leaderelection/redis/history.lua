-- Put after record.lua, before the scripts that grant or prolong leases. KEYS[1] is what is
-- known of the whole prefix, KEYS[2] and on are records. ARGV[1] is 'detect' if failovers
-- are to be detected; then come for each record: node, incarnation, duration, token or
-- floor, and 'create' or ''.

-- The server's replication id: a new one after each promotion and each start, when the
-- last writes may be missing.
local function replicationId()
	local info = redis.pcall('INFO', 'replication')
	if type(info) == 'table' and info.err then
		return nil, 'LEADERELECTION_NOINFO ' .. info.err
	end
	local role, id = string.match(info, 'role:([%w-]+)'), string.match(info, 'master_replid:(%x+)')
	if role and role ~= 'master' then
		return nil, 'LEADERELECTION_NOMASTER the role of this server is ' .. role
	end
	if not id then
		return nil, 'LEADERELECTION_NOINFO the answer to INFO has no master_replid'
	end
	return id
end

-- Until when no lease may be granted, since one that this server has never heard of may be
-- in force; or an error.
local function quarantine(longestAsked, recordsExist)
	if ARGV[1] ~= 'detect' then
		return 0
	end
	local id, failure = replicationId()
	if failure then
		return nil, redis.error_reply(failure)
	end
	local known = redis.call('HMGET', KEYS[1], 'replication-id', 'longest-lease', 'quarantine-until', 'quarantine')
	local longest, ends, wait = micros(known[2]) or 0, micros(known[3]) or 0, micros(known[4]) or 0
	if known[1] ~= id then
		if known[1] or recordsExist then
			wait = math.max(wait, longest, longestAsked)
			ends = math.max(ends, now + wait)
		end
		longest = longestAsked
		redis.call('HSET', KEYS[1], 'replication-id', id, 'longest-lease', decimal(longest),
			'quarantine-until', decimal(ends), 'quarantine', decimal(wait))
	elseif ends > now + wait then
		-- the clock was set back
		ends = now + wait
		redis.call('HSET', KEYS[1], 'quarantine-until', decimal(ends))
	end
	if longestAsked > longest then
		redis.call('HSET', KEYS[1], 'longest-lease', decimal(longestAsked))
	end
	return ends
end

-- Has each question answered, with all that is known of its record.
local function answerEach(question)
	local records, states, longestAsked, recordsExist = {}, {}, 0, false
	for i = 2, #KEYS do
		records[i], states[i] = load(KEYS[i])
		recordsExist = recordsExist or records[i] ~= nil
		longestAsked = math.max(longestAsked, tonumber(ARGV[5 * i - 6]))
	end
	local quarantineEnds, failure = quarantine(longestAsked, recordsExist)
	if failure then
		return failure
	end
	local answers = {}
	for i = 2, #KEYS do
		local at = 5 * i - 8
		local ask = {node = ARGV[at], incarnation = ARGV[at + 1], duration = tonumber(ARGV[at + 2]),
			token = ARGV[at + 3], create = ARGV[at + 4] == 'create'}
		if states[i] == 'foreign' then
			answers[i - 1] = {'foreign'}
		else
			answers[i - 1] = question(KEYS[i], records[i], states[i], ask, quarantineEnds)
		end
	end
	return answer(answers)
end
