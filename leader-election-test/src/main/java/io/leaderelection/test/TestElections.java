package io.leaderelection.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.Registration;
import io.leaderelection.Ineligibility;

/**
 * Elections that a test decides, each with an engine and clocks of its own, so that one
 * can expire without the others.
 */
final class TestElections implements LeaderElections {

	static final String NODE_ID = "test-node";

	private final GrantingStore store = new GrantingStore();

	private final Activity activity = new Activity();

	private final Map<String, ControlledElection> elections = new LinkedHashMap<>();

	private final List<Consumer<LeaderElector>> newcomers = new ArrayList<>();

	private final List<Consumer<Leadership>> workListeners = new CopyOnWriteArrayList<>();

	private final Set<Ineligibility> ineligible = EnumSet.noneOf(Ineligibility.class);

	private boolean running;

	GrantingStore store() {
		return this.store;
	}

	/** Also before the application has started its elections: the test decides. */
	ControlledElection startedElection(String election) {
		start();
		elector(election);
		return election(election).orElseThrow();
	}

	private synchronized Optional<ControlledElection> election(String election) {
		return Optional.ofNullable(this.elections.get(election));
	}

	@Override
	public String nodeId() {
		return NODE_ID;
	}

	@Override
	public LeaderElector elector(String election) {
		return find(election).orElseGet(() -> elector(election, ElectionSettings.defaults()));
	}

	@Override
	public LeaderElector elector(String election, ElectionSettings settings) {
		ControlledElection controlled;
		List<Consumer<LeaderElector>> interested;
		synchronized (this) {
			controlled = this.elections.get(election);
			interested = (controlled != null) ? List.of() : List.copyOf(this.newcomers);
			if (controlled == null) {
				controlled = new ControlledElection(election, settings, this.store, this.activity);
				this.elections.put(election, controlled);
				controlled.onWork((leadership) -> this.workListeners.forEach((it) -> it.accept(leadership)));
				this.ineligible.forEach(controlled::declareIneligible);
				if (this.running) {
					controlled.start();
				}
			}
		}
		LeaderElector elector = controlled.elector(settings);
		interested.forEach((action) -> action.accept(elector));
		return elector;
	}

	@Override
	public Registration onWork(Consumer<Leadership> action) {
		this.workListeners.add(action);
		return () -> this.workListeners.remove(action);
	}

	@Override
	public Registration forEachElector(Consumer<LeaderElector> action) {
		Consumer<LeaderElector> own = action::accept;
		Collection<LeaderElector> present;
		synchronized (this) {
			this.newcomers.add(own);
			present = electors();
		}
		present.forEach(action);
		return () -> forget(own);
	}

	private synchronized void forget(Consumer<LeaderElector> action) {
		this.newcomers.remove(action);
	}

	@Override
	public Optional<LeaderElector> find(String election) {
		return election(election).map(ControlledElection::elector);
	}

	@Override
	public Collection<LeaderElector> electors() {
		return all().stream().<LeaderElector>map(ControlledElection::elector).toList();
	}

	private synchronized List<ControlledElection> all() {
		return List.copyOf(this.elections.values());
	}

	@Override
	public synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.elections.values().forEach(ControlledElection::start);
		}
	}

	@Override
	public CompletableFuture<Void> withdraw() {
		stop();
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void stop() {
		synchronized (this) {
			this.running = false;
		}
		all().forEach(ControlledElection::stop);
	}

	@Override
	public CompletableFuture<Void> declareIneligible(Ineligibility reason) {
		synchronized (this) {
			this.ineligible.add(reason);
		}
		all().forEach((election) -> election.declareIneligible(reason));
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void declareEligible(Ineligibility reason) {
		synchronized (this) {
			this.ineligible.remove(reason);
		}
		all().forEach((election) -> election.declareEligible(reason));
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public void close() {
		stop();
		this.activity.close();
	}

}
