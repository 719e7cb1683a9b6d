package io.leaderelection.fencing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.StaleLeaderException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a refused token: it is counted, and this node asks the store at once
 * whether it still leads. If it does, it acquires a higher token. Every fence reports
 * here what it refused to this node.
 */
public final class StaleTokens {

	private static final Log logger = LogFactory.getLog(StaleTokens.class);

	private final LeaderElections elections;

	private final @Nullable InMemoryFence inProcess;

	private final Map<String, FencingToken> warned = new ConcurrentHashMap<>();

	private final LongAdder refused = new LongAdder();

	private final List<Consumer<StaleLeaderException>> listeners = new CopyOnWriteArrayList<>();

	public StaleTokens(LeaderElections elections) {
		this(elections, null);
	}

	private StaleTokens(LeaderElections elections, @Nullable InMemoryFence inProcess) {
		this.elections = elections;
		this.inProcess = inProcess;
	}

	/**
	 * For elections inside this process. Another process elects a leader of its own, so
	 * their tokens must not reach a fence that both share: fences compare them in memory.
	 * @param elections the elections
	 * @return a new instance
	 */
	public static StaleTokens inProcess(LeaderElections elections) {
		return new StaleTokens(elections, new InMemoryFence());
	}

	/**
	 * Whether the elections are inside this process, so that fences write no tokens.
	 * @return whether they are
	 */
	public boolean isInProcess() {
		return this.inProcess != null;
	}

	/**
	 * Checks a token of an election inside this process, for a fence that must not write
	 * it.
	 * @param token the token
	 * @return whether it was checked; not if other processes take part in the election
	 * @throws StaleLeaderException if a higher one has passed
	 */
	public boolean checkInProcess(FencingToken token) {
		if (this.inProcess == null) {
			return false;
		}
		try {
			this.inProcess.check(token);
			return true;
		}
		catch (StaleLeaderException ex) {
			throw refused(ex);
		}
	}

	/**
	 * Takes note of a refusal.
	 * @param refusal what the fence said
	 * @return the refusal, to be thrown
	 */
	public StaleLeaderException refused(StaleLeaderException refusal) {
		this.refused.increment();
		warn(refusal);
		this.elections.find(refusal.refused().election())
			.flatMap(LeaderElector::leadership)
			.filter((leadership) -> leadership.token().equals(refusal.refused()))
			.ifPresent((leadership) -> leadership.tokenRejected(refusal.newest()));
		this.listeners.forEach((listener) -> listener.accept(refusal));
		return refusal;
	}

	/** Once per token: work that goes on may write thousands of times. */
	private void warn(StaleLeaderException refusal) {
		FencingToken token = refusal.refused();
		if (!token.equals(this.warned.put(token.election(), token))) {
			logger.warn("A fence rejected a write with token %d of '%s': it has seen token %d".formatted(token.value(),
					token.election(), refusal.newest().value()));
		}
	}

	/**
	 * Has this node ask whether it still leads, without counting a refusal: a fence could
	 * not tell whether the token is stale, but something has changed.
	 * @param token the token
	 */
	public void suspect(FencingToken token) {
		this.elections.find(token.election()).ifPresent((elector) -> elector.operations().recheck());
	}

	/**
	 * How many tokens were refused since this node started.
	 * @return the count
	 */
	public long count() {
		return this.refused.sum();
	}

	/**
	 * Tells of every refusal, on the thread that met with it.
	 * @param listener told of each
	 */
	public void addListener(Consumer<StaleLeaderException> listener) {
		this.listeners.add(listener);
	}

}
