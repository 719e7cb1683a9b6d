// One lane for each node, the last 90 seconds from left to right, and who led as a block in its lane.

const WINDOW = 90_000;

export class Timeline {

	#root;
	#lanes = new Map();
	#now = 0;
	#marks = [];

	constructor(root) {
		this.#root = root;
	}

	update(cluster, story) {
		const now = Date.now();
		cluster.nodes.forEach((node, index) => this.#lane(node, index));
		const marks = [];
		for (const term of story.terms()) {
			const owner = cluster.nodes.find((node) => node.name === term.nodeId);
			const open = term.to === undefined;
			const last = open && owner?.silentSince ? Math.min(now, owner.answered + (owner.refuses ? 0 : owner.data.validityMillis)) : now;
			marks.push({ lane: term.nodeId, kind: 'term', from: term.from, to: term.to ?? last, open: open && !owner?.silentSince,
				key: `term ${term.token}`, text: story.split(term.token)[1],
				title: `${term.nodeId} with token ${term.token}` });
		}
		for (const span of story.spans()) {
			marks.push({ lane: span.nodeId, kind: span.kind === 'FROZEN' ? 'frozen' : 'cut', from: span.from, to: span.to,
				key: `${span.kind} ${span.nodeId} ${span.from}`, text: span.kind === 'FROZEN' ? 'frozen' : 'cut off' });
		}
		for (const write of cluster.ledger.refused) {
			const at = Date.parse(write.at);
			marks.push({ lane: write.nodeId, kind: 'refusal', from: at, to: at, key: `refusal ${write.token} ${write.payout} ${at}`, text: '✕' });
		}
		this.#marks = marks.filter((mark) => mark.open || mark.to > now - WINDOW - 5000);
		this.draw();
	}

	#lane(node, index) {
		let lane = this.#lanes.get(node.url);
		if (!lane) {
			lane = document.createElement('div');
			lane.className = 'lane';
			lane.style.setProperty('--node', `var(--node-${index % 6})`);
			const name = document.createElement('span');
			name.className = 'lane-name';
			const track = document.createElement('div');
			track.className = 'track';
			lane.append(name, track);
			this.#lanes.set(node.url, lane);
			this.#root.append(lane);
		}
		lane.dataset.node = node.name;
		const name = lane.firstElementChild;
		if (name.textContent !== node.name) {
			name.textContent = node.name;
		}
	}

	draw() {
		this.#now = Date.now();
		const wanted = new Map(this.#marks.map((mark) => [mark.key, mark]));
		for (const lane of this.#lanes.values()) {
			for (const element of [...lane.lastElementChild.children]) {
				if (!wanted.has(element.dataset.key)) {
					element.remove();
				}
			}
		}
		this.#marks.forEach((mark) => this.#drawMark(mark));
	}

	#drawMark(mark) {
		const lane = [...this.#lanes.values()].find((it) => it.dataset.node === mark.lane);
		if (!lane) {
			return;
		}
		const track = lane.lastElementChild;
		let element = [...track.children].find((it) => it.dataset.key === mark.key);
		if (!element) {
			element = document.createElement('span');
			element.className = mark.kind;
			element.dataset.key = mark.key;
			element.title = mark.title ?? mark.text;
			track.append(element);
		}
		if (element.textContent !== mark.text) {
			element.textContent = mark.text;
		}
		const begin = this.#percent(mark.from);
		element.style.left = `${begin}%`;
		if (mark.kind !== 'refusal') {
			const width = Math.max(0.3, this.#percent(mark.open ? this.#now : Math.min(mark.to, this.#now)) - begin);
			element.style.width = `${width}%`;
			element.classList.toggle('narrow', width / 100 * track.clientWidth < 84);
		}
	}

	#percent(at) {
		return Math.max(0, (at - this.#now + WINDOW) / WINDOW * 100);
	}

}
