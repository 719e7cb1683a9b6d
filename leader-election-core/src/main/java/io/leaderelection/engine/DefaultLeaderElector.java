package io.leaderelection.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.ElectionOperations;
import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionStatus;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LossReason;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import io.leaderelection.Registration;
import io.leaderelection.Work;
import org.jspecify.annotations.Nullable;

/**
 * An election as applications see it: what may be called from any thread. Everything but
 * {@link #isLeader()}, {@link #leadership()}, {@link #fencingToken()} and {@link #begin}
 * takes the engine's lock for a moment.
 */
public final class DefaultLeaderElector implements LeaderElector, ElectionOperations {

	/** Longer than any process lives, and short enough to be added to a clock. */
	private static final Duration FOR_EVER = Duration.ofDays(100 * 365);

	private final EngineLock lock;

	private final Election election;

	private final LeaderState leader;

	private final Transitions transitions;

	DefaultLeaderElector(EngineLock lock, Election election, LeaderState leader, Transitions transitions) {
		this.lock = lock;
		this.election = election;
		this.leader = leader;
		this.transitions = transitions;
	}

	@Override
	public String election() {
		return this.election.name();
	}

	@Override
	public ElectionSettings settings() {
		return this.election.settings();
	}

	@Override
	public boolean isLeader() {
		return this.leader.isLeader();
	}

	@Override
	public Optional<Leadership> leadership() {
		Term present = this.leader.term();
		return (present != null && present.isCurrent()) ? Optional.of(present) : Optional.empty();
	}

	@Override
	public Optional<FencingToken> fencingToken() {
		return leadership().map(Leadership::token);
	}

	@Override
	public Optional<Leader> getCurrentLeader() {
		return this.lock.read(this.election::currentLeader);
	}

	@Override
	public boolean tryBecomeLeader() {
		Duration longest = this.election.settings().callTimeout().multipliedBy(3);
		return Waiting.atMost(longest, attempt()).orElseGet(this::isLeader);
	}

	/**
	 * What {@link #tryBecomeLeader()} does, without waiting.
	 * @return completed with whether this node leads
	 */
	public CompletableFuture<Boolean> attempt() {
		CompletableFuture<Boolean> leads = new CompletableFuture<>();
		this.lock.enter(() -> this.election.attempt(leads));
		return leads;
	}

	@Override
	public Optional<Work> begin(OnLoss onLoss) {
		Objects.requireNonNull(onLoss, "onLoss");
		Leadership outer = CurrentLeadership.get();
		Term present = (outer != null) ? enclosing(outer) : null;
		present = (present != null) ? present : this.leader.term();
		return (present != null) ? Optional.ofNullable(present.begin(onLoss, outer)) : Optional.empty();
	}

	/** The leadership of this election that this thread works under already. */
	private @Nullable Term enclosing(Leadership outer) {
		if (outer instanceof Term own && own.belongsTo(this.leader)) {
			return own;
		}
		return InFlightCalls.enclosing(outer)
			.stream()
			.filter((term) -> term.belongsTo(this.leader))
			.findFirst()
			.orElse(null);
	}

	@Override
	public <T> T executeAsLeader(Callable<T> work) throws Exception {
		Work begun = begin(OnLoss.SIGNAL).orElseThrow(() -> new NotLeaderException(election(), getCurrentLeader()));
		try (begun) {
			return work.call();
		}
	}

	@Override
	public Registration onLeadershipGained(Runnable action) {
		return addListener(Transitions.onGained(action));
	}

	@Override
	public Registration onLeadershipLost(Runnable action) {
		return addListener(Transitions.onLost(action));
	}

	@Override
	public Registration addListener(LeadershipListener listener) {
		Objects.requireNonNull(listener, "listener");
		Transitions.Subscriber subscriber = this.lock
			.read(() -> this.transitions.subscribe(listener, this.leader.term()));
		return () -> this.lock.enter(() -> this.transitions.unsubscribe(subscriber));
	}

	@Override
	public ElectionOperations operations() {
		return this;
	}

	@Override
	public CompletableFuture<Boolean> stepDown() {
		return stepDown(this.election.settings().leaseDuration());
	}

	@Override
	public CompletableFuture<Boolean> stepDown(Duration holdOff) {
		if (holdOff.isNegative()) {
			throw new IllegalArgumentException("holdOff must not be negative, but is " + holdOff);
		}
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		Duration bounded = (holdOff.compareTo(FOR_EVER) < 0) ? holdOff : FOR_EVER;
		this.lock.enter(() -> this.leader.relinquish(LossReason.STEPPED_DOWN, null, bounded.toNanos(), released));
		return released;
	}

	@Override
	public CompletableFuture<Boolean> transferTo(String nodeId) {
		Objects.requireNonNull(nodeId, "nodeId");
		if (!isLeader()) {
			return CompletableFuture.failedFuture(new NotLeaderException(election(), getCurrentLeader()));
		}
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		candidates().whenComplete((known, failure) -> {
			if (failure != null) {
				released.completeExceptionally(failure);
			}
			else {
				this.lock.enter(() -> this.election.transfer(nodeId, released));
			}
		});
		return released;
	}

	@Override
	public CompletableFuture<Boolean> pause() {
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		this.lock.enter(() -> this.election.pause(released));
		return released;
	}

	@Override
	public void resume() {
		this.lock.enter(this.election::resume);
	}

	@Override
	public void recheck() {
		this.lock.enter(this.leader::recheck);
	}

	@Override
	public ElectionStatus status() {
		return this.lock.read(this.election::status);
	}

	@Override
	public CompletableFuture<List<String>> candidates() {
		CompletableFuture<List<String>> candidates = new CompletableFuture<>();
		this.lock.enter(() -> this.election.readCandidates(candidates));
		return candidates;
	}

}
