// Turns what the nodes have seen into a story: who led from when to when, and why that changed.
// No node knows all of it, and one that has crashed has forgotten its part.

/** How a leadership ends that is given up, and one that is not: then the others wait for the end of the lease. */
const GIVEN_UP = {
	STEPPED_DOWN: 'stepped down',
	TRANSFERRED: 'handed over',
	PAUSED: 'was told to stand aside',
	UNHEALTHY: 'was not healthy',
	STOPPED: 'was shut down',
	TOKEN_REJECTED: 'acquires a higher token'
};
const LEFT = {
	STOLEN: 'was told that its lease is gone',
	EXPIRED: 'stood still',
	STORE_UNREACHABLE: 'could not renew, and stopped by itself',
	SESSION_LOST: 'lost its session with the database',
	CRASHED: 'crashed',
	SILENT: 'fell silent'
};

/** All events that any node has told of, each once, oldest first. */
export class Story {

	#events = new Map();
	#supposed = [];

	/** What this page knows of, and the node itself may never tell. */
	suppose(nodeId, kind, millis) {
		this.#supposed.push({ nodeId, kind, millis, at: Date.now(), token: null });
	}

	add(events) {
		for (const event of events) {
			const told = { ...event, at: Date.parse(event.at) };
			this.#events.set([told.nodeId, told.kind, told.token, told.at].join(), told);
		}
	}

	get events() {
		const told = [...this.#events.values()];
		const untold = this.#supposed.filter((it) => !told.some((other) => other.nodeId === it.nodeId && other.kind === it.kind
			&& Math.abs(other.at - it.at) < 5000));
		return [...told, ...untold].sort((a, b) => a.at - b.at);
	}

	/** One term for each leadership: nodeId, token, from, to (undefined while it lasts), reason. */
	terms() {
		const terms = new Map();
		const events = this.events;
		for (const event of events.filter((it) => it.kind === 'GAINED')) {
			terms.set(event.token, { nodeId: event.nodeId, token: event.token, from: event.at });
		}
		for (const event of events.filter((it) => it.kind === 'LEADER_SEEN')) {
			const known = terms.get(event.token) ?? { nodeId: event.nodeId, token: event.token, from: event.at };
			known.vacancy = Math.max(known.vacancy ?? 0, event.millis ?? 0);
			terms.set(event.token, known);
		}
		for (const event of events.filter((it) => it.kind === 'LOST' && terms.has(it.token))) {
			Object.assign(terms.get(event.token), { to: event.at, reason: event.detail });
		}
		const ordered = [...terms.values()].sort((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1));
		ordered.forEach((term, index) => this.#end(term, ordered[index + 1], events));
		return ordered;
	}

	/** A node that was frozen or has crashed does not say when it ended; its successor knows better. */
	#end(term, next, events) {
		const crash = events.find((it) => ['CRASHED', 'STARTED'].includes(it.kind) && it.nodeId === term.nodeId && it.at > term.from);
		if (!term.reason && crash) {
			term.reason = 'CRASHED';
			term.to = crash.at;
		}
		if (next) {
			term.reason ??= 'SILENT';
			term.to = Math.max(term.from, Math.min(term.to ?? next.from - (next.vacancy ?? 0), next.from));
		}
	}

	/** What to tell of it, newest first: { at, text, nodeId }. */
	happenings(refused) {
		const told = [];
		const terms = this.terms();
		terms.forEach((term, index) => told.push({ at: term.from, nodeId: term.nodeId, text: begin(term, terms[index - 1]) }));
		for (const event of this.events) {
			const text = incident(event);
			if (text) {
				told.push({ at: event.at, nodeId: event.nodeId, text });
			}
		}
		for (const write of refused) {
			told.push({ at: Date.parse(write.at), nodeId: write.nodeId, refused: true,
				text: `The ledger refused payout ${write.payout} of ${write.nodeId}.` });
		}
		return told.sort((a, b) => b.at - a.at);
	}

	/** Whether the last leadership was given up, so that nobody has to wait. */
	isGivenUp(term) {
		return term.reason in GIVEN_UP;
	}

	/** The part of a token that tells it from the others: [what all have in common, the rest]. */
	split(token) {
		const others = this.terms().map((term) => term.token).filter((other) => other.length === token.length);
		let common = 0;
		while (others.length > 1 && common < token.length - 4 && others.every((other) => other[common] === token[common])) {
			common++;
		}
		return [token.slice(0, common), token.slice(common)];
	}

	/** When something was done to a node: { nodeId, kind, from, to }. */
	spans() {
		return this.events.filter((it) => it.kind === 'FROZEN' || it.kind === 'CUT_OFF')
			.map((it) => ({ nodeId: it.nodeId, kind: it.kind, from: it.at, to: it.at + it.millis }));
	}

}

function begin(term, before) {
	if (!before) {
		return `${term.nodeId} leads.`;
	}
	const gap = Math.max(0, term.from - before.to);
	const who = term.nodeId === before.nodeId ? `${term.nodeId} leads again` : `${term.nodeId} took over`;
	const later = gap < 1000 ? '' : `, ${(gap / 1000).toFixed(1)} s later`;
	return GIVEN_UP[before.reason] ? `${before.nodeId} ${GIVEN_UP[before.reason]}. ${who}${later || ' at once'}.`
		: `${before.nodeId} ${LEFT[before.reason]}. When its lease had run out, ${who}${later}.`;
}

function incident(event) {
	switch (event.kind) {
		case 'FROZEN': return `${event.nodeId} was frozen for ${event.millis / 1000} s.`;
		case 'CRASHED': return `${event.nodeId} crashed.`;
		case 'AWAKE': return `${event.nodeId} woke up.`;
		case 'CUT_OFF': return `${event.nodeId} was cut off for ${event.millis / 1000} s.`;
		case 'CONNECTED': return `${event.nodeId} was connected again.`;
		case 'STARTED': return `${event.nodeId} was started.`;
		case 'WORK_LOST': return event.detail === 'audit' ? `${event.nodeId} broke off an audit, since it no longer led.` : null;
		default: return null;
	}
}
