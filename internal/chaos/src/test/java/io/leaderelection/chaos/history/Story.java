package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.chaos.history.Attempt.Outcome;

/**
 * A history made by hand, in milliseconds: two processes, of which the first leads until
 * it is killed, and the second from when its lease has ended. Nothing is wrong with it.
 */
final class Story {

	static final long LEASE = 2000;

	static final Bounds BOUNDS = new Bounds(nanos(LEASE), nanos(1000), 8, 12);

	static final String ONE = "node-1.1";

	static final String OTHER = "node-2.1";

	private final List<Life> lives = new ArrayList<>();

	private final List<Answers> answers = new ArrayList<>();

	private final List<Attempt> attempts = new ArrayList<>();

	private final List<Writes> writes = new ArrayList<>();

	private final List<Resources> resources = new ArrayList<>();

	private final List<Fault> faults = new ArrayList<>();

	/** Nothing yet but a start. */
	static Story empty() {
		return new Story().fault(FaultKind.START, Fault.STORE, 0, 1000);
	}

	static Story ofAKilledLeader() {
		return empty().life(ONE, 1000, 10_000)
			.says(ONE, false, 0, 900, 1500)
			.says(ONE, true, 1, 1502, 9999)
			.fault(FaultKind.KILL, ONE, 10_000, 10_500)
			.life(OTHER, 1000, 30_100)
			.says(OTHER, false, 0, 900, 11_500)
			.says(OTHER, true, 2, 11_502, 30_100)
			.uses(OTHER, 2000, 20, 10)
			.uses(OTHER, 29_000, 20, 10)
			.wrote(ONE, 1, 1, 800)
			.wrote(OTHER, 2, 801, 1800)
			.attempt(OTHER, 12_000, Outcome.REFUSED);
	}

	Story life(String process, long ready, long ended) {
		this.lives.removeIf((life) -> life.process().equals(process));
		this.lives
			.add(new Life(process, process.replaceFirst("\\..*", ""), nanos(ready - 500), nanos(ready), nanos(ended)));
		return this;
	}

	/** Samples that take a microsecond, every two milliseconds. */
	Story says(String process, boolean leader, long token, long from, long to) {
		this.answers.add(new Answers(process, leader, token, new Sample(nanos(from), nanos(from) + 1000),
				new Sample(nanos(to), nanos(to) + 1000), (to - from) / 2 + 1, nanos(2)));
		return this;
	}

	/** A single sample of any length. */
	Story saysOnce(String process, boolean leader, long token, long before, long after) {
		Sample sample = new Sample(nanos(before), nanos(after));
		this.answers.add(new Answers(process, leader, token, sample, sample, 1, 0));
		return this;
	}

	/** Takes back what a process said from a moment on. */
	Story silentFrom(String process, long moment) {
		this.answers.removeIf((some) -> some.process().equals(process) && some.first().before() >= nanos(moment));
		return this;
	}

	Story fault(FaultKind kind, String target, long begun, long ended) {
		this.faults.add(new Fault(kind, target, nanos(begun), nanos(begun + 1), nanos(ended), ""));
		return this;
	}

	Story without(FaultKind kind) {
		this.faults.removeIf((fault) -> fault.kind() == kind);
		return this;
	}

	Story wrote(String process, long token, long first, long last) {
		this.writes.add(new Writes(process, token, first, last, last - first + 1));
		return this;
	}

	Story withoutWrites() {
		this.writes.clear();
		return this;
	}

	Story uses(String process, long at, int threads, int descriptors) {
		this.resources.add(new Resources(process, nanos(at), threads, descriptors));
		return this;
	}

	Story withoutResources() {
		this.resources.clear();
		return this;
	}

	Story attempt(String process, long at, Outcome outcome) {
		this.attempts.add(new Attempt(process, nanos(at), Attempt.Kind.FORMER, 1, outcome));
		return this;
	}

	/** Until 30 seconds there are faults, and then the last one leaves. */
	History told() {
		return new History(this.lives, this.answers, List.of(), this.attempts, this.writes, this.resources, this.faults,
				0, nanos(30_000), nanos(31_000));
	}

	List<Violation> violations() {
		return new Checker(told(), BOUNDS).violations();
	}

	Figures figures() {
		return new Checker(told(), BOUNDS).figures();
	}

	static long nanos(long millis) {
		return millis * 1_000_000;
	}

}
