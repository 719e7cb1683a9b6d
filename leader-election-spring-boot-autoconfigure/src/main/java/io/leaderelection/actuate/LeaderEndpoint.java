package io.leaderelection.actuate;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.jmx.export.annotation.ManagedOperation;
import org.springframework.jmx.export.annotation.ManagedOperationParameter;

/**
 * {@link Endpoint @Endpoint} that says who leads and why that has changed, and moves
 * leadership.
 */
@Endpoint(id = "leader", defaultAccess = Access.READ_ONLY)
class LeaderEndpoint {

	/**
	 * Each costs the store a question; of more elections is shown who stood by when it
	 * was last asked.
	 */
	private static final int MOST_ASKED_FOR_STANDBY = 20;

	/** Work may take its time to end; whoever asked should not wait for all of it. */
	private static final Duration ACTION_PATIENCE = Duration.ofSeconds(10);

	private final LeaderElections elections;

	private final Supplier<NodeDescription.Backend> backend;

	private final OperatorActions actions;

	/**
	 * An endpoint for the elections of this node.
	 * @param elections the elections
	 * @param backend what decides them
	 */
	public LeaderEndpoint(LeaderElections elections, Supplier<NodeDescription.Backend> backend) {
		this(elections, backend, ACTION_PATIENCE);
	}

	LeaderEndpoint(LeaderElections elections, Supplier<NodeDescription.Backend> backend, Duration patience) {
		this.elections = elections;
		this.backend = backend;
		this.actions = new OperatorActions(elections, patience);
	}

	/**
	 * All elections of this node.
	 * @return this node and its elections
	 */
	@ReadOperation
	@ManagedOperation(description = "Who leads each election, and why that has changed")
	public NodeDescription node() {
		Collection<LeaderElector> electors = this.elections.electors();
		if (electors.size() <= MOST_ASKED_FOR_STANDBY) {
			Standby.ask(electors);
		}
		Map<String, ElectionDescription> descriptions = new LinkedHashMap<>();
		electors.forEach((elector) -> descriptions.put(elector.election(), ElectionDescription.of(elector.status())));
		return new NodeDescription(this.elections.nodeId(), this.backend.get(), descriptions);
	}

	/**
	 * One election.
	 * @param election its name
	 * @return what this node knows of it; {@code null} if there is none
	 */
	@ReadOperation
	@ManagedOperation(description = "Who leads one election; null if there is none of that name")
	@ManagedOperationParameter(name = "election", description = "The election's name")
	public @Nullable ElectionDescription election(@Selector String election) {
		return this.elections.find(election).map((elector) -> {
			Standby.ask(List.of(elector));
			return ElectionDescription.of(elector.status());
		}).orElse(null);
	}

	/**
	 * Moves leadership.
	 * @param election the election's name
	 * @param action {@code step-down}, {@code transfer}, {@code pause} or {@code resume}
	 * @param to with {@code transfer}: the node that shall lead
	 * @param holdOff with {@code step-down}: how long this node stands aside, such as
	 * {@code 30s}
	 * @return what became of it
	 */
	@WriteOperation
	@ManagedOperation(description = "Moves leadership")
	@ManagedOperationParameter(name = "election", description = "The election's name")
	@ManagedOperationParameter(name = "action", description = "step-down, transfer, pause or resume")
	@ManagedOperationParameter(name = "to", description = "With transfer: the node that shall lead; otherwise null")
	@ManagedOperationParameter(name = "holdOff",
			description = "With step-down: how long this node stands aside, such as 30s; null for one lease")
	public Outcome act(@Selector String election, @Nullable String action, @Nullable String to,
			@Nullable String holdOff) {
		return this.actions.perform(election, action, to, holdOff);
	}

	Refusal unknown(String election) {
		return Refusal.of(this.actions.unknown(election));
	}

}
