package io.leaderelection.test;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.Ineligibility;
import io.leaderelection.engine.ElectionEngine;
import io.leaderelection.engine.DefaultLeaderElector;
import io.leaderelection.engine.EngineLog;
import io.leaderelection.store.Owner;

/**
 * One election, run by an engine whose time the test moves.
 */
final class ControlledElection {

	private final String name;

	private final ElectionSettings settings;

	private final GrantingStore store;

	private final Activity activity;

	private final StandingTime time;

	private final ElectionEngine engine;

	private final DefaultLeaderElector elector;

	ControlledElection(String name, ElectionSettings settings, GrantingStore store, Activity activity) {
		this.name = name;
		this.settings = settings;
		this.store = store;
		this.activity = activity;
		this.time = new StandingTime(activity);
		this.engine = new ElectionEngine(() -> new Owner(TestElections.NODE_ID, UUID.randomUUID().toString()),
				this.time, this.time, new StoreCallsInTest(store, this.time, activity), activity, EngineLog.NONE,
				new SplittableRandom(1));
		this.elector = this.engine.elector(name, settings);
	}

	DefaultLeaderElector elector() {
		return this.elector;
	}

	/** Fails if the settings are others than those of this election. */
	DefaultLeaderElector elector(ElectionSettings settings) {
		return this.engine.elector(this.name, settings);
	}

	void onWork(Consumer<Leadership> action) {
		this.engine.onWork(action);
	}

	void start() {
		this.engine.start();
		this.activity.awaitEnd();
	}

	void grant() {
		this.store.allow(this.name);
		this.elector.attempt();
		this.activity.awaitEnd();
	}

	FencingToken overtake() {
		return this.store.overtake(this.name);
	}

	void notice() {
		this.elector.recheck();
		this.activity.awaitEnd();
	}

	void expire() {
		this.store.disallow(this.name);
		this.time.pass(this.settings.leaseDuration());
		this.activity.awaitEnd();
	}

	void declareIneligible(Ineligibility reason) {
		this.engine.declareIneligible(reason);
		this.activity.awaitEnd();
	}

	void declareEligible(Ineligibility reason) {
		this.engine.declareEligible(reason);
		this.activity.awaitEnd();
	}

	/** Work that does not end is waited for as long as the settings say, in no time. */
	void stop() {
		CompletableFuture<Void> stopped = this.engine.stop();
		this.activity.awaitEnd();
		if (!stopped.isDone()) {
			this.time.pass(this.engine.longestStop());
			this.activity.awaitEnd();
		}
		this.store.disallow(this.name);
	}

}
