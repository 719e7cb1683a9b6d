// Events that a page may meet, and what it has to make of them. The answer is a list of what it got wrong.
import('/story.js').then(({ Story }) => {
	const wrong = [];
	const at = (second) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
	const event = (second, kind, nodeId, token, detail, millis) => ({ at: at(second), kind, nodeId, token, detail, millis });
	const expect = (name, actual, expected) => {
		if (JSON.stringify(actual) !== JSON.stringify(expected)) {
			wrong.push(`${name}: ${JSON.stringify(actual)}, and not ${JSON.stringify(expected)}`);
		}
	};
	const story = (...events) => {
		const told = new Story();
		told.add(events);
		return told;
	};
	const terms = (told) => told.terms().map((it) => [it.nodeId, new Date(it.from).getUTCSeconds(),
		it.to === undefined ? null : new Date(it.to).getUTCSeconds(), it.reason ?? null]);

	expect('a leadership that lasts', terms(story(event(1, 'GAINED', 'a', '7'))), [['a', 1, null, null]]);
	expect('one that is given up', terms(story(event(1, 'GAINED', 'a', '7'), event(5, 'LOST', 'a', '7', 'STEPPED_DOWN'),
		event(5, 'GAINED', 'b', '8'))), [['a', 1, 5, 'STEPPED_DOWN'], ['b', 5, null, null]]);
	expect('one whose end was noticed late', terms(story(event(1, 'GAINED', 'a', '7'), event(20, 'LOST', 'a', '7', 'EXPIRED'),
		event(9, 'GAINED', 'b', '8'))), [['a', 1, 9, 'EXPIRED'], ['b', 9, null, null]]);
	expect('one that ended in a crash', terms(story(event(1, 'LEADER_SEEN', 'a', '7'), event(9, 'GAINED', 'b', '8'),
		event(9, 'LEADER_SEEN', 'b', '8', null, 4000), event(20, 'STARTED', 'a'))), [['a', 1, 9, 'CRASHED'], ['b', 9, null, null]]);
	expect('one of which nothing more was heard', terms(story(event(1, 'LEADER_SEEN', 'a', '7'), event(9, 'GAINED', 'b', '8'),
		event(9, 'LEADER_SEEN', 'b', '8', null, 4000))), [['a', 1, 5, 'SILENT'], ['b', 9, null, null]]);
	expect('tokens with more digits', terms(story(event(5, 'GAINED', 'b', '10'), event(1, 'GAINED', 'a', '9'))),
		[['a', 1, 5, 'SILENT'], ['b', 5, null, null]]);
	expect('what two nodes tell', story(event(1, 'GAINED', 'a', '7'), event(1, 'GAINED', 'a', '7')).terms().length, 1);
	expect('the digits that differ', story(event(1, 'GAINED', 'a', '17001111'), event(2, 'GAINED', 'b', '17002222')).split('17002222'),
		['1700', '2222']);
	expect('a refusal', story(event(1, 'GAINED', 'a', '7')).happenings([{ at: at(3), nodeId: 'a', payout: 4 }])[0].text,
		'The ledger refused payout 4 of a.');

	const supposed = story(event(1, 'GAINED', 'a', '7'));
	supposed.suppose('a', 'FROZEN', 6000);
	expect('what only the page knows', supposed.spans().length, 1);
	supposed.add([{ ...event(0, 'FROZEN', 'a', null, null, 6000), at: new Date().toISOString() }]);
	expect('what the node tells later', supposed.spans().length, 1);
	return wrong;
})
