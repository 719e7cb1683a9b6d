package io.leaderelection.engine.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LossReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How urgent each line of the log is, and what it names.
 */
class SystemEngineLogTests {

	private static final FencingToken TOKEN = new FencingToken("reports", 7);

	private final Lines lines = new Lines();

	private final SystemEngineLog log = new SystemEngineLog(this.lines, "node-1", (line, whenDone) -> line.run());

	@ParameterizedTest
	@EnumSource
	void aLossThatNobodyAskedForIsAWarning(LossReason reason) {
		this.log.lost(new Lost(TOKEN, "node-1", reason, Instant.EPOCH));
		assertThat(this.lines.written).containsExactly((reason.isVoluntary() ? "INFO" : "WARNING")
				+ " 'node-1' no longer leads 'reports' with " + "token 7: " + reason);
	}

	@Test
	void workThatExceedsTheDrainTimeoutIsAWarningThatNamesIt() {
		this.log.drainTimedOut(TOKEN, "node-1", 1, List.of("worker in app.Reports.publish"));
		assertThat(this.lines.written).singleElement()
			.asString()
			.startsWith("WARNING ")
			.contains("reports", "worker in app.Reports.publish");
	}

	@Test
	void aFenceThatIsAheadIsAnError() {
		this.log.tokenRejected(TOKEN, new FencingToken("reports", 9), true);
		assertThat(this.lines.written).singleElement()
			.asString()
			.startsWith("ERROR ")
			.contains("token 7", "seen 9", "acquires the lease again");
	}

	@Test
	void aBlockedTakeoverAndADuplicateNodeIdAreWarnings() {
		this.log.takeoverBlocked("The takeover of 'reports' is blocked by session 42");
		this.log.duplicateNodeId("reports");
		assertThat(this.lines.written).hasSize(2)
			.allSatisfy((line) -> assertThat(line).startsWith("WARNING "))
			.anySatisfy((line) -> assertThat(line).contains("session 42"))
			.anySatisfy((line) -> assertThat(line).contains("leader-election.node-id"));
	}

	private static final class Lines implements Logger {

		private final List<String> written = new ArrayList<>();

		@Override
		public String getName() {
			return "lines";
		}

		@Override
		public boolean isLoggable(Level level) {
			return true;
		}

		@Override
		public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String message,
				@Nullable Throwable thrown) {
			this.written.add(level + " " + message);
		}

		@Override
		public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format,
				@Nullable Object @Nullable ... parameters) {
			this.written.add(level + " " + format);
		}

	}

}
