import { answers, Cluster } from './cluster.js';
import { Story } from './story.js';
import { Timeline } from './timeline.js';

const byId = (id) => document.getElementById(id);
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const story = new Story();
const timeline = new Timeline(byId('timeline'));
const cards = new Map();
const cluster = new Cluster(show);

/** What was done to a node from this page: { kind, until } by its URL. */
const deeds = new Map();

/** For how long to freeze or cut off: long enough for another node to take over. */
const hurtSeconds = (node) => Math.ceil(2 * (node.data?.leaseMillis ?? 5000) / 1000);

function show() {
	cluster.nodes.filter((node) => node.data).forEach((node) => story.add(node.data.events));
	showHeadline();
	cluster.nodes.forEach(showNode);
	showHappenings();
	showLedger();
	timeline.update(cluster, story);
}

function showHeadline() {
	const known = cluster.nodes.find((node) => node.data)?.data;
	if (known) {
		setText(byId('decided-by'), ` · ${known.election} · decided by ${{ jdbc: 'a database' }[known.backend] ?? known.backend}`);
	}
	const leader = cluster.leader();
	const standby = cluster.nodes.filter((node) => answers(node) && node !== leader).map((node) => node.name);
	document.body.classList.toggle('leaderless', !leader);
	document.title = leader ? `${leader.name} leads` : 'Nobody leads';
	if (leader) {
		setText(byId('headline'), `${leader.name} leads.`);
		setText(byId('explanation'), standby.length ? `It alone makes the payouts. ${sentence(standby)} by, ready to take over.`
			: 'It alone makes the payouts. Nobody stands by.');
	}
	else if (!cluster.nodes.some(answers)) {
		setText(byId('headline'), 'No node answers.');
		setText(byId('explanation'), 'This page has lost contact, and goes on trying. Is the demo still running?');
	}
	else {
		const last = story.terms().at(-1);
		setText(byId('headline'), 'Nobody leads.');
		setText(byId('explanation'), !last || story.isGivenUp(last) ? 'The nodes are about to find a leader.'
			: `${last.nodeId} led last. Until its lease has run out, nobody may take its place: it could still be at work.`);
	}
}

const sentence = (names) => names.length === 1 ? `${names[0]} stands`
	: `${names.slice(0, -1).join(', ')} and ${names.at(-1)} stand`;

function showNode(node, index) {
	const card = cards.get(node.url) ?? createCard(node, index);
	const { state, label, doing } = describe(node);
	card.dataset.node = node.name;
	card.dataset.state = state;
	setText(card.querySelector('.node-name'), node.name);
	setText(card.querySelector('.state'), label);
	setText(card.querySelector('.doing'), doing);
	const token = answers(node) ? node.data.token : null;
	const tokenLine = card.querySelector('.token');
	if (tokenLine.dataset.token !== String(token)) {
		tokenLine.dataset.token = String(token);
		tokenLine.replaceChildren(...(token ? ['Token ', tokenElement(token)] : []));
	}
	const leads = node === cluster.leader();
	card.querySelector('.leader-only').hidden = !leads || !node.data.controls;
	card.querySelector('.controls').hidden = !node.data?.controls;
	card.querySelectorAll('button').forEach((button) => {
		// not "disabled", which would take the focus from who works with the keyboard
		button.ariaDisabled = String(!answers(node) || button.dataset.busy === 'true');
	});
	showTargets(card, node);
	const seconds = hurtSeconds(node);
	setText(card.querySelector('[data-action="freeze"]'), `Freeze ${seconds} s`);
	setText(card.querySelector('[data-action="cut-off"]'), `Cut off ${seconds} s`);
}

function createCard(node, index) {
	const card = byId('node-template').content.firstElementChild.cloneNode(true);
	card.style.setProperty('--node', `var(--node-${index % 6})`);
	card.querySelector('.node-name').href = node.url;
	card.querySelector('.validity').setAttribute('aria-label', 'How long it may lead without renewing');
	card.querySelector('select').setAttribute('aria-label', `Who is to lead after ${node.name}`);
	card.querySelectorAll('button').forEach((button) => button.addEventListener('click', () => act(node, card, button)));
	byId('nodes').append(card);
	cards.set(node.url, card);
	return card;
}

function showTargets(card, node) {
	const select = card.querySelector('select');
	const names = cluster.nodes.filter((other) => other !== node && answers(other)).map((other) => other.name);
	if (names.join() !== [...select.options].map((option) => option.value).join()) {
		const chosen = select.value;
		select.replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)));
	}
	card.querySelector('.hand-over').hidden = names.length === 0;
}

function describe(node) {
	const deed = deeds.get(node.url);
	const left = deed ? Math.ceil((deed.until - Date.now()) / 1000) : 0;
	if (!answers(node)) {
		if (deed?.kind === 'freeze' && left > 0) {
			return { state: 'frozen', label: 'Frozen', doing: `Does nothing for ${left} s, and does not know it.` };
		}
		if (node.refuses) {
			const back = deed?.kind === 'crash' && left > 0 ? ` Is started again in ${left} s.` : ' Is started again.';
			return { state: 'down', label: 'Down', doing: `Its process has ended.${node.data?.restartAfterSeconds ? back : ''}` };
		}
		return node.data ? { state: 'silent', label: 'Silent', doing: 'Does not answer. It may be frozen, or gone.' }
			: { state: 'silent', label: 'Unknown', doing: 'Has not answered yet.' };
	}
	if (node.data.freezing) {
		return { state: 'freezing', label: 'Leads', doing: 'Is about to freeze, in the middle of a payout.' };
	}
	const leads = node === cluster.leader();
	if (node.data.cutOff) {
		const rest = deed?.kind === 'cut-off' && left > 0 ? ` for ${left} s more` : '';
		return leads ? { state: 'leading-cut-off', label: 'Leads, cut off', doing: 'Cannot renew. Stops when the bar has run out.' }
			: { state: 'cut-off', label: 'Cut off', doing: `Nothing gets to the store or back${rest}.` };
	}
	if (leads) {
		return { state: 'leading', label: 'Leads', doing: 'Makes the payouts.' };
	}
	if (node.data.state === 'STOPPED') {
		return { state: 'stopped', label: 'Stops', doing: 'Is shutting down.' };
	}
	return { state: 'standby', label: 'Stands by', doing: node.data.leader ? `Ready to take over from ${node.data.leader}.` : 'Ready to take over.' };
}

async function act(node, card, button) {
	if (button.ariaDisabled === 'true') {
		return;
	}
	const action = button.dataset.action;
	const seconds = hurtSeconds(node);
	button.dataset.busy = 'true';
	button.ariaDisabled = 'true';
	const to = card.querySelector('select').value;
	const details = { transfer: { to }, freeze: { seconds }, 'cut-off': { seconds } }[action];
	const answer = await cluster.tell(node, action, details);
	button.dataset.busy = 'false';
	const done = answer.status >= 200 && answer.status < 300;
	if (done && ['freeze', 'cut-off', 'crash'].includes(action)) {
		const lasts = action === 'crash' ? node.data?.restartAfterSeconds ?? 0 : seconds;
		deeds.set(node.url, { kind: action, until: Date.now() + lasts * 1000 });
		story.suppose(node.name, { freeze: 'FROZEN', 'cut-off': 'CUT_OFF', crash: 'CRASHED' }[action], lasts * 1000);
	}
	say(!done ? `${node.name} answered ${answer.status || 'nothing'}: ${answer.said.detail ?? answer.said.error ?? ''}`
		: action === 'task' ? `${node.name} made payout ${answer.said.payout}.` : '', !done);
	show();
}

let saying;
function say(text, trouble) {
	const answer = byId('answer');
	setText(answer, text);
	answer.classList.toggle('trouble', trouble);
	clearTimeout(saying);
	saying = setTimeout(() => setText(answer, ''), 8000);
}

function tokenElement(token) {
	const [common, rest] = story.split(token);
	const element = cell('number', rest);
	element.prepend(cell('dim', common));
	return element;
}

const colorOf = (name) => `var(--node-${Math.max(0, cluster.nodes.findIndex((node) => node.name === name)) % 6})`;
const clock = (millis) => new Date(millis).toLocaleTimeString('en-GB');

function showHappenings() {
	const lines = story.happenings(cluster.ledger.refused).slice(0, 12);
	list(byId('happenings'), lines, (line) => line.at + line.text, (line, item) => {
		item.style.setProperty('--node', colorOf(line.nodeId));
		item.classList.toggle('refusal', line.refused === true);
		item.append(timeElement(line.at), line.text);
	});
}

function showLedger() {
	const { accepted, refused, books } = cluster.ledger;
	if (books) {
		setText(byId('books'), `${books.paid} paid · ${books.audited ? `last audit looked at ${books.audited}` : 'no audit yet'}`);
	}
	const lines = ledgerLines(accepted, refused).slice(0, 12);
	list(byId('ledger'), lines, (line) => [line.kind, line.token, line.first].join(), (line, item) => {
		item.style.setProperty('--node', colorOf(line.nodeId));
		item.className = line.first === line.last ? line.kind : `${line.kind} several`;
		const row = document.createElement('p');
		row.className = 'row';
		row.append(cell('payout', line.first === line.last ? `Payout ${line.last}` : `Payouts ${line.first} to ${line.last}`),
			cell('who', line.nodeId), cell('verdict', { paid: 'Paid', twice: 'Paid twice', refused: 'Refused' }[line.kind]),
			timeElement(line.when));
		item.append(row);
		if (line.kind === 'refused') {
			item.append(why(line));
		}
		else if (line.kind === 'twice') {
			const text = document.createElement('p');
			text.className = 'why';
			text.textContent = 'Two nodes made the same payout: there is no fence to refuse the one that was replaced.';
			item.append(text);
		}
	});
}

/** Newest first. What one leader paid in a row is one line, but for its latest payouts. */
function ledgerLines(accepted, refused) {
	const counts = new Map();
	accepted.forEach((entry) => counts.set(entry.payout, (counts.get(entry.payout) ?? 0) + 1));
	const single = [...accepted.map((entry) => ({ ...entry, kind: counts.get(entry.payout) > 1 ? 'twice' : 'paid' })),
		...refused.map((write) => ({ ...write, kind: 'refused' }))]
		.map((line) => ({ ...line, first: line.payout, last: line.payout, when: Date.parse(line.at),
			paidBy: line.kind === 'refused' ? accepted.find((entry) => entry.payout === line.payout)?.nodeId : null }))
		.sort((a, b) => b.when - a.when);
	const lines = [];
	single.forEach((line, index) => {
		const newer = lines.at(-1);
		if (index > 3 && line.kind === 'paid' && newer.kind === 'paid' && newer.token === line.token && newer.first === line.last + 1) {
			newer.first = line.first;
		}
		else {
			lines.push(line);
		}
	});
	return lines;
}

/** The one sentence that has to be understood. */
function why(write) {
	const newer = write.paidBy ?? story.terms().find((term) => term.token === write.newestToken)?.nodeId ?? 'a newer leader';
	const text = document.createElement('p');
	text.className = 'why';
	text.append(`${write.nodeId} wrote this without knowing that ${newer} had taken over. `,
		write.paidBy ? `${newer} has paid ${write.payout}: it would have been paid twice. ` : 'It might have been paid twice. ',
		'The ledger had seen token ', tokenElement(write.newestToken), ', so it refuses the lower ', tokenElement(write.token), '.');
	return text;
}

function cell(name, text) {
	const element = document.createElement('span');
	element.className = name;
	element.textContent = text;
	return element;
}

function timeElement(millis) {
	const element = document.createElement('time');
	element.dateTime = new Date(millis).toISOString();
	element.textContent = clock(millis);
	return element;
}

/** Adds what is new and removes what is gone, and leaves the rest alone. */
function list(parent, items, keyOf, fill) {
	const present = new Map([...parent.children].map((child) => [child.dataset.key, child]));
	const wanted = items.map((item) => {
		const key = keyOf(item);
		const child = present.get(key) ?? document.createElement('li');
		const content = JSON.stringify(item);
		if (child.dataset.content !== content) {
			child.dataset.key = key;
			child.dataset.content = content;
			child.replaceChildren();
			fill(item, child);
		}
		present.delete(key);
		return child;
	});
	present.forEach((child) => child.remove());
	wanted.forEach((child, index) => {
		if (parent.children[index] !== child) {
			parent.insertBefore(child, parent.children[index] ?? null);
		}
	});
}

function setText(element, text) {
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

/** Between two answers the bar shrinks by itself, as the validity does. Nobody told the page that it was renewed. */
function drawValidity() {
	for (const node of cluster.nodes) {
		const card = cards.get(node.url);
		if (!card || !node.data) {
			continue;
		}
		const left = node.data.token ? Math.max(0, node.data.validityMillis - (Date.now() - node.answered)) : 0;
		const shown = left > 0;
		const meter = card.querySelector('.validity');
		meter.classList.toggle('empty', !shown);
		meter.setAttribute('aria-valuemax', (node.data.leaseMillis / 1000).toFixed(0));
		meter.setAttribute('aria-valuenow', (shown ? left / 1000 : 0).toFixed(0));
		card.querySelector('.validity-left').style.transform = `scaleX(${shown ? left / node.data.leaseMillis : 0})`;
		const seconds = (left / 1000).toFixed(1);
		setText(card.querySelector('.validity-text'), !shown ? ''
			: answers(node) ? `May lead for ${seconds} s without renewing` : `Its lease runs out in ${seconds} s`);
	}
	timeline.draw();
	setTimeout(() => requestAnimationFrame(drawValidity), calm.matches ? 1000 : 40);
}

cluster.start();
drawValidity();
