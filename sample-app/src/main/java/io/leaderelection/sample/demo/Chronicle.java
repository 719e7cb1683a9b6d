package io.leaderelection.sample.demo;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.annotation.GuardedCallListener;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * What this node has seen since it was started, the latest events only. The page puts
 * together what all nodes have seen.
 */
@Component
class Chronicle implements LeadershipListener, GuardedCallListener {

	private static final int MOST = 100;

	private final Deque<Event> events = new ArrayDeque<>();

	private final List<Runnable> readers = new CopyOnWriteArrayList<>();

	private final String nodeId;

	Chronicle(LeaderElections elections, LeaderElector elector) {
		this.nodeId = elections.nodeId();
		note(Kind.STARTED, null);
		elector.addListener(this);
	}

	@Override
	public void gained(Gained event) {
		add(new Event(event.at(), Kind.GAINED, event.nodeId(), text(event.token()), null, null));
	}

	@Override
	public void lost(Lost event) {
		add(new Event(event.at(), Kind.LOST, event.nodeId(), text(event.token()), event.reason().name(), null));
	}

	@Override
	public void leaderChanged(LeaderChanged event) {
		Optional<Long> vacancy = event.vacancy().map(Duration::toMillis);
		add(new Event(event.at(), Kind.LEADER_SEEN, event.leader().nodeId(), text(event.leader().token()), null,
				vacancy.orElse(null)));
	}

	@Override
	public void lost(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
		add(new Event(Instant.now(), Kind.WORK_LOST, this.nodeId, text(leadership.token()), method.getName(), null));
	}

	/** Something that was done to this node. */
	void note(Kind kind, @Nullable Duration duration) {
		add(new Event(Instant.now(), kind, this.nodeId, null, null, (duration != null) ? duration.toMillis() : null));
	}

	/** Calls a reader whenever there is something new. It must not block. */
	void tell(Runnable reader) {
		this.readers.add(reader);
	}

	List<Event> events() {
		synchronized (this.events) {
			return List.copyOf(this.events);
		}
	}

	private void add(Event event) {
		synchronized (this.events) {
			this.events.addLast(event);
			if (this.events.size() > MOST) {
				this.events.removeFirst();
			}
		}
		this.readers.forEach(Runnable::run);
	}

	private static String text(FencingToken token) {
		return String.valueOf(token.value());
	}

	enum Kind {

		/** This node was started. */
		STARTED,

		/** This node leads. */
		GAINED,

		/** This node does not lead any more. */
		LOST,

		/** This node learned who leads. */
		LEADER_SEEN,

		/** Leadership ended before a job did. */
		WORK_LOST,

		/** This node was stopped, and went on. */
		FROZEN, AWAKE,

		/** This node was cut off, and connected again. */
		CUT_OFF, CONNECTED

	}

	/**
	 * Something that has happened.
	 *
	 * @param at when, by this node's wall clock
	 * @param kind what
	 * @param nodeId to whom
	 * @param token the token that it was about
	 * @param detail why a leadership was lost, or which job was
	 * @param millis the time since the last proof that the previous leader was alive, or
	 * how long it lasts
	 */
	record Event(Instant at, Kind kind, String nodeId, @Nullable String token, @Nullable String detail,
			@Nullable Long millis) {
	}

}
