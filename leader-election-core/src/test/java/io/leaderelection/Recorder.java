package io.leaderelection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * A listener that keeps what it was told.
 */
public class Recorder implements LeadershipListener {

	private final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();

	public List<LeadershipEvent> events() {
		return this.events;
	}

	/** Gains and losses, such as "gained 1". */
	public List<String> transitions() {
		return this.events.stream().filter((event) -> !(event instanceof LeaderChanged)).map((event) -> {
			if (event instanceof Gained gained) {
				return "gained " + gained.token().value();
			}
			Lost lost = (Lost) event;
			return "lost %d %s".formatted(lost.token().value(), lost.reason());
		}).toList();
	}

	public List<LeaderChanged> leaderChanges() {
		return this.events.stream().filter(LeaderChanged.class::isInstance).map(LeaderChanged.class::cast).toList();
	}

	@Override
	public void gained(Gained event) {
		this.events.add(event);
	}

	@Override
	public void lost(Lost event) {
		this.events.add(event);
	}

	@Override
	public void leaderChanged(LeaderChanged event) {
		this.events.add(event);
	}

}
