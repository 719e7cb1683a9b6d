-- What cannot be read is no proof that a lease has ended: its holder may write it again.

return answerEach(function(key, record, _, lease)
	if not record or exceeds(lease.token, record.token) then
		if not lease.create then
			return {'absent'}
		end
		hold(key, lease.node, lease.incarnation, lease.token, lease.duration)
		return {'renewed'}
	end
	if isHeldWith(record, lease.node, lease.incarnation, lease.token) then
		prolong(key, lease.token, lease.duration)
		return {'renewed'}
	end
	return {'lost'}
end)
