package io.leaderelection.autoconfigure;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.Registration;
import io.leaderelection.StoreCall;
import io.leaderelection.Ineligibility;

/**
 * Gives each election that is made by name the settings that are configured for that
 * name.
 */
final class ConfiguredElections implements LeaderElections {

	private final LeaderElections elections;

	private final ConfiguredSettings settings;

	ConfiguredElections(LeaderElections elections, ConfiguredSettings settings) {
		this.elections = elections;
		this.settings = settings;
	}

	@Override
	public String nodeId() {
		return this.elections.nodeId();
	}

	@Override
	public LeaderElector elector(String election) {
		return find(election).orElseGet(() -> this.elections.elector(election, this.settings.of(election)));
	}

	@Override
	public LeaderElector elector(String election, ElectionSettings settings) {
		return this.elections.elector(election, settings);
	}

	@Override
	public Optional<LeaderElector> find(String election) {
		return this.elections.find(election);
	}

	@Override
	public Collection<LeaderElector> electors() {
		return this.elections.electors();
	}

	@Override
	public Registration forEachElector(Consumer<LeaderElector> action) {
		return this.elections.forEachElector(action);
	}

	@Override
	public Registration onWork(Consumer<Leadership> action) {
		return this.elections.onWork(action);
	}

	@Override
	public Registration onStoreCall(Consumer<StoreCall> action) {
		return this.elections.onStoreCall(action);
	}

	@Override
	public void start() {
		this.elections.start();
	}

	@Override
	public CompletableFuture<Void> withdraw() {
		return this.elections.withdraw();
	}

	@Override
	public void stop() {
		this.elections.stop();
	}

	@Override
	public CompletableFuture<Void> declareIneligible(Ineligibility reason) {
		return this.elections.declareIneligible(reason);
	}

	@Override
	public void declareEligible(Ineligibility reason) {
		this.elections.declareEligible(reason);
	}

	@Override
	public boolean isRunning() {
		return this.elections.isRunning();
	}

	@Override
	public void close() {
		this.elections.close();
	}

}
