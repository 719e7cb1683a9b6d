// Asks every node, again and again, what it is doing, and at once when a node says that there is news.
// A node that does not answer is part of the picture.

const ASK_EVERY = 150;
const PATIENCE = 900;

export class Cluster {

	/** @param {(cluster: Cluster) => void} changed called whenever something was learned */
	constructor(changed) {
		this.nodes = [];
		this.ledger = { accepted: [], refused: [], books: null };
		this.changed = changed;
	}

	async start() {
		let self;
		while (!self) {
			self = await ask(location.origin, '/api/node');
			await pause(self ? 0 : ASK_EVERY * 4);
		}
		const elsewhere = self.peers.length && !self.peers.includes(location.origin)
			&& self.peers.find((peer) => new URL(peer).port === location.port);
		if (elsewhere) {
			// the other nodes answer to pages from these addresses only
			location.replace(elsewhere);
			return;
		}
		const urls = self.peers.length ? self.peers : [location.origin];
		for (const [index, url] of urls.entries()) {
			const node = { url, name: self.peerNames[index] ?? new URL(url).host, data: null, answered: 0, silentSince: 0, refuses: false };
			this.nodes.push(node);
			this.#watch(node);
		}
		this.#watchLedger();
	}

	async #watch(node) {
		for (;;) {
			node.news = false;
			const data = await ask(node.url, '/api/node', (error) => {
				node.refuses = error.name !== 'TimeoutError';
				node.silentSince ||= Date.now();
			});
			if (data) {
				Object.assign(node, { data, name: data.nodeId, answered: Date.now(), silentSince: 0, refuses: false });
			}
			this.changed(this);
			this.#listen(node, data && !document.hidden);
			if (!node.news) {
				await Promise.race([pause(document.hidden ? ASK_EVERY * 10 : ASK_EVERY), new Promise((resume) => { node.wake = resume; })]);
			}
		}
	}

	/** A browser has few connections to a server: a page that nobody looks at leaves them to others. */
	#listen(node, wanted) {
		if (!wanted || node.stream?.readyState === EventSource.CLOSED) {
			node.stream?.close();
			node.stream = null;
		}
		if (wanted && !node.stream) {
			node.stream = new EventSource(`${node.url}/api/node/news`);
			node.stream.onmessage = () => {
				node.news = true;
				node.wake?.();
			};
		}
	}

	/** Any node can show the ledger, but not one that is cut off from it. */
	async #watchLedger() {
		for (;;) {
			const source = this.nodes.find((node) => answers(node) && !node.data.cutOff);
			const ledger = source && await ask(source.url, '/api/ledger');
			if (ledger) {
				this.ledger = ledger;
				this.changed(this);
			}
			await pause(document.hidden ? ASK_EVERY * 10 : ASK_EVERY * 4);
		}
	}

	leader() {
		// a node that has just given up may not have been asked since: the highest token counts
		return this.nodes.filter((node) => answers(node) && node.data.token && node.data.validityMillis > 0)
			.reduce((one, other) => one && BigInt(one.data.token) > BigInt(other.data.token) ? one : other, undefined);
	}

	/** @returns {Promise<{status: number, text: string}>} what the node said to it */
	async tell(node, action, details) {
		const moves = action === 'step-down' || action === 'transfer';
		const path = moves ? `/actuator/leader/${node.data?.election ?? ''}`
			: action === 'task' ? '/api/leader/admin/task' : `/api/demo/${action}`;
		const body = JSON.stringify(moves ? { action, ...details } : details ?? {});
		try {
			const response = await fetch(node.url + path, { method: 'POST', body, signal: AbortSignal.timeout(15000),
				headers: { 'Content-Type': 'application/json' } });
			const text = await response.text();
			return { status: response.status, said: text ? JSON.parse(text) : {} };
		}
		catch (error) {
			return { status: 0, said: { detail: `${node.name} did not answer (${error.message}).` } };
		}
	}

}

export function answers(node) {
	return node.data !== null && node.silentSince === 0;
}

async function ask(url, path, failed = () => {}) {
	try {
		const response = await fetch(url + path, { signal: AbortSignal.timeout(PATIENCE), cache: 'no-store' });
		return response.ok ? await response.json() : null;
	}
	catch (error) {
		failed(error);
		return null;
	}
}

function pause(millis) {
	return new Promise((resume) => setTimeout(resume, millis));
}
