package io.leaderelection.actuate;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.leaderelection.ElectionOperations;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.NotLeaderException;
import io.leaderelection.UnknownCandidateException;
import io.leaderelection.actuate.RefusedActionException.Cause;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * Carries out what operators ask for. Whatever is wrong with a wish is found before
 * anything changes.
 */
class OperatorActions {

	/** One that was mistyped must not keep a node aside for years. */
	private static final Duration LONGEST_HOLD_OFF = Duration.ofDays(7);

	private final LeaderElections elections;

	private final Duration patience;

	OperatorActions(LeaderElections elections, Duration patience) {
		this.elections = elections;
		this.patience = patience;
	}

	Outcome perform(String election, @Nullable String action, @Nullable String to, @Nullable String holdOff) {
		LeaderElector elector = this.elections.find(election).orElseThrow(() -> unknown(election));
		Action wanted = Action.of(action);
		if (to != null && wanted != Action.TRANSFER) {
			throw bad("'to' goes with 'transfer' only");
		}
		if (holdOff != null && wanted != Action.STEP_DOWN) {
			throw bad("'holdOff' goes with 'step-down' only");
		}
		CompletableFuture<Boolean> begun = switch (wanted) {
			case STEP_DOWN -> stepDown(elector, holdOff);
			case TRANSFER -> transfer(elector, to);
			case PAUSE -> elector.operations().pause();
			case RESUME -> resume(elector);
		};
		return await(elector, wanted, begun);
	}

	RefusedActionException unknown(String election) {
		return new RefusedActionException(Cause.UNKNOWN_ELECTION,
				"There is no election '%s'".formatted(RefusedActionException.echo(election)),
				this.elections.electors().stream().map(LeaderElector::election).toList());
	}

	private CompletableFuture<Boolean> stepDown(LeaderElector elector, @Nullable String holdOff) {
		Optional<Duration> duration = Optional.ofNullable(holdOff).map(OperatorActions::duration);
		if (!elector.isLeader()) {
			throw notLeader(elector);
		}
		ElectionOperations operations = elector.operations();
		return duration.map(operations::stepDown).orElseGet(operations::stepDown);
	}

	private static Duration duration(String holdOff) {
		try {
			Duration duration = DurationStyle.detectAndParse(holdOff);
			if (duration.compareTo(LONGEST_HOLD_OFF) > 0) {
				throw bad("'holdOff' is at most %dd, not '%s'; 'pause' lasts until 'resume'"
					.formatted(LONGEST_HOLD_OFF.toDays(), RefusedActionException.echo(holdOff)));
			}
			if (!duration.isNegative()) {
				return duration;
			}
		}
		catch (RefusedActionException ex) {
			throw ex;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			// said below
		}
		throw bad("'holdOff' is a duration such as 30s, not '%s'".formatted(RefusedActionException.echo(holdOff)));
	}

	private CompletableFuture<Boolean> transfer(LeaderElector elector, @Nullable String to) {
		if (!StringUtils.hasText(to)) {
			Standby.ask(List.of(elector));
			throw new RefusedActionException(Cause.BAD_REQUEST, "'transfer' needs 'to', a node that stands by",
					elector.status().candidates());
		}
		if (!elector.isLeader()) {
			throw notLeader(elector);
		}
		return elector.operations().transferTo(to);
	}

	private static CompletableFuture<Boolean> resume(LeaderElector elector) {
		elector.operations().resume();
		return CompletableFuture.completedFuture(false);
	}

	private Outcome await(LeaderElector elector, Action action, CompletableFuture<Boolean> begun) {
		try {
			return outcome(elector, action, true, begun.get(this.patience.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (TimeoutException ex) {
			return outcome(elector, action, false, false);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return outcome(elector, action, false, false);
		}
		catch (ExecutionException ex) {
			throw refused(elector, ex.getCause());
		}
	}

	private static Outcome outcome(LeaderElector elector, Action action, boolean complete, boolean released) {
		return new Outcome(elector.election(), action.word(), complete, released,
				ElectionDescription.of(elector.status()));
	}

	private static RefusedActionException refused(LeaderElector elector, @Nullable Throwable cause) {
		if (cause instanceof UnknownCandidateException unknown) {
			return new RefusedActionException(Cause.BAD_REQUEST, "'%s' does not stand by for '%s'"
				.formatted(RefusedActionException.echo(unknown.nodeId()), elector.election()), unknown.candidates());
		}
		if (cause instanceof NotLeaderException) {
			return notLeader(elector);
		}
		return new RefusedActionException(Cause.STORE_UNREACHABLE,
				"The nodes that stand by for '%s' could not be asked for: %s".formatted(elector.election(), cause),
				List.of());
	}

	private static RefusedActionException notLeader(LeaderElector elector) {
		Standby.ask(List.of(elector));
		String leader = elector.getCurrentLeader()
			.map(Leader::nodeId)
			.map("ask the leader, '%s'"::formatted)
			.orElse("no leader is known");
		return new RefusedActionException(Cause.NOT_LEADER,
				"This node does not lead '%s'; %s".formatted(elector.election(), leader), List.of());
	}

	private static RefusedActionException bad(String message) {
		return new RefusedActionException(Cause.BAD_REQUEST, message, List.of());
	}

	/**
	 * What an operator can ask for.
	 */
	private enum Action {

		STEP_DOWN, TRANSFER, PAUSE, RESUME;

		String word() {
			return ElectionDescription.word(this);
		}

		static Action of(@Nullable String word) {
			return Arrays.stream(values())
				.filter((action) -> action.word().equals((word != null) ? word.toLowerCase(Locale.ROOT) : null))
				.findFirst()
				.orElseThrow(() -> new RefusedActionException(Cause.BAD_REQUEST,
						(word != null) ? "There is no action '%s'".formatted(RefusedActionException.echo(word))
								: "'action' is missing",
						Arrays.stream(values()).map(Action::word).toList()));
		}

	}

}
