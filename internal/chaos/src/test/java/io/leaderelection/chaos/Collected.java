package io.leaderelection.chaos;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.chaos.history.Answers;
import io.leaderelection.chaos.history.Attempt;
import io.leaderelection.chaos.history.Change;
import io.leaderelection.chaos.history.Fault;
import io.leaderelection.chaos.history.History;
import io.leaderelection.chaos.history.Life;
import io.leaderelection.chaos.history.Resources;
import io.leaderelection.chaos.history.Writes;
import io.leaderelection.chaos.node.Diary;

/**
 * What the processes of all nodes have left behind.
 */
final class Collected {

	private final List<Life> lives = new ArrayList<>();

	private final List<Answers> answers = new ArrayList<>();

	private final List<Change> changes = new ArrayList<>();

	private final List<Attempt> attempts = new ArrayList<>();

	private final List<Resources> resources = new ArrayList<>();

	private Collected() {
	}

	static Collected from(List<ChaosNode> nodes) {
		Collected collected = new Collected();
		nodes.forEach((node) -> node.lives().forEach(collected::add));
		return collected;
	}

	private void add(NodeLife life) {
		this.lives.add(life.life());
		this.answers.addAll(life.answers());
		life.diary().forEach((line) -> add(life.name(), line));
	}

	private void add(String process, Diary.Line line) {
		switch (line.what()) {
			case GAINED -> this.changes.add(new Change(process, line.at(), true, line.number(0), ""));
			case LOST ->
				this.changes.add(new Change(process, line.at(), false, line.number(0), line.particulars().get(1)));
			case WRITE ->
				this.attempts.add(new Attempt(process, line.at(), Attempt.Kind.valueOf(line.particulars().get(0)),
						line.number(1), Attempt.Outcome.valueOf(line.particulars().get(2))));
			case RESOURCES ->
				this.resources.add(new Resources(process, line.at(), (int) line.number(0), (int) line.number(1)));
			case READY, PAUSED -> {
				// of the life and the fault
			}
		}
	}

	History history(List<Writes> writes, List<Fault> faults, long begun, long closing, long ended) {
		return new History(this.lives, this.answers, this.changes, this.attempts, writes, this.resources, faults, begun,
				closing, ended);
	}

}
