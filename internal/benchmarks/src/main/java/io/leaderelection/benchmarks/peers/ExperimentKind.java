package io.leaderelection.benchmarks.peers;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All experiments, in the order of the page.
 */
enum ExperimentKind {

	CLEAN_STOP(new Failover(false, false)),

	CLEAN_STOP_WEB(new Failover(true, false)),

	CRASH(new Failover(false, true)),

	PAUSE(new Pause()),

	CUT_OFF(new CutOff()),

	DATA_LOSS(new DataLoss()),

	IDLE(new Idle()),

	MANY(new Many()),

	ASKING(new Asking()),

	GUARDING(new Guarding());

	private final Experiment experiment;

	ExperimentKind(Experiment experiment) {
		this.experiment = experiment;
	}

	static ExperimentKind of(String id) {
		return Stream.of(values())
			.filter((kind) -> kind.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no experiment '%s', only %s".formatted(id,
					Arrays.stream(values()).map(ExperimentKind::id).collect(Collectors.joining(", ")))));
	}

	String id() {
		return name().toLowerCase().replace('_', '-');
	}

	Experiment experiment() {
		return this.experiment;
	}

	List<Contestant> contestants() {
		return switch (this) {
			case GUARDING -> List.of(Contestant.OURS_REDIS, Contestant.SHEDLOCK_REDIS, Contestant.SHEDLOCK_JDBC);
			default -> Contestant.electing();
		};
	}

}
