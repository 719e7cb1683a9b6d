package io.leaderelection.test.simulation;

import java.util.List;

import io.leaderelection.ElectionState;
import io.leaderelection.ElectionStatus;
import io.leaderelection.LeadershipEvent.LeaderChanged;

/**
 * Checks what nodes say of themselves (P9), against the truth of the {@link Referee}.
 */
final class StatusReferee {

	private final Referee referee;

	private final World world;

	private final Weather weather;

	private final SimulatedStore server;

	private final List<String> names;

	private final Leases leases;

	private int vacancies;

	StatusReferee(Referee referee, World world, Weather weather, SimulatedStore server, List<String> names,
			Leases leases) {
		this.referee = referee;
		this.world = world;
		this.weather = weather;
		this.server = server;
		this.names = names;
		this.leases = leases;
	}

	/** How many reported vacancies were compared with the truth. */
	int vacancies() {
		return this.vacancies;
	}

	/**
	 * A new leader does not make the time without a leader look shorter than it was, nor
	 * longer than since the last sign of life of its predecessor. Clocks differ, and a
	 * candidate looks a little after the end of a lease. A request that overtakes the
	 * hint of a release finds the lease free, and proves only that it was held within the
	 * last lease.
	 */
	void vacancyTold(SimulatedProcess process, LeaderChanged event) {
		// without a clock of the store, a follower knows only when it saw the last sign
		if (event.vacancy().isEmpty() || this.server.recordServer() != null) {
			return;
		}
		int index = this.names.indexOf(event.election());
		long lease = this.leases.of(index);
		Grant grant = this.referee.grant(index, event.leader().token());
		if (!process.ledWith(event.leader().token())) {
			throw this.world.violation("P9",
					"%s tells how long %s took to take over".formatted(process.name(), event.leader()));
		}
		long claimed = event.vacancy().get().toNanos();
		long begun = grant.gainedAt - process.node().clock().inWorldTime(claimed);
		long tolerance = 10 * World.MILLI + lease / 40;
		boolean tooShort = begun > Math.max(grant.signBefore, grant.ledBefore) + tolerance;
		long most = grant.afterRelease ? lease + tolerance : tolerance;
		boolean tooLong = begun < grant.signBefore - most && !this.weather.isStormy()
				&& grant.signBefore > this.weather.calmSince() + 3 * lease;
		if (grant.seen && (tooShort || tooLong)) {
			throw this.world.violation("P9",
					"%s took %s over after a vacancy of %d ms, but the last sign of its predecessor was %d ms before"
						.formatted(process.name(), event.leader().token(), claimed / World.MILLI,
								(grant.gainedAt - grant.signBefore) / World.MILLI));
		}
		this.vacancies += grant.seen ? 1 : 0;
	}

	/** What a node says of itself is true. */
	void checkStatus(SimulatedProcess process, int index) {
		ElectionStatus status = process.election(index).status();
		boolean leads = status.state() == ElectionState.LEADER;
		if (status.leaderSince().isPresent() != leads) {
			throw this.world.violation("P9", "%s is %s of '%s' and says that the leadership began at %s"
				.formatted(process.name(), status.state(), status.election(), status.leaderSince()));
		}
		if (leads) {
			long remaining = process.node().clock().inWorldTime(status.remainingValidity().toNanos());
			if (this.world.now() + remaining > this.referee.grantOf(process, index).ends) {
				throw this.world.violation("P2", "%s says that it leads '%s' for longer than its lease"
					.formatted(process.name(), status.election()));
			}
		}
	}

}
