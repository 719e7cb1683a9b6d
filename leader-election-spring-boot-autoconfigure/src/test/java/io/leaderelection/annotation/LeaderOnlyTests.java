package io.leaderelection.annotation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What happens to calls of guarded methods.
 */
@Timeout(60)
class LeaderOnlyTests {

	@Test
	void theLeaderDoesTheWork() {
		Application.of(Reports.class).leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.publish();
			assertThat(reports.read("a")).isEqualTo("report a");
			assertThat(reports.count()).isEqualTo(1);
			assertThat(reports.published()).isEqualTo(1);
		});
	}

	@Test
	void aFollowerSkipsWhatReturnsNothingAndRefusesTheRest() {
		Application.of(Reports.class).follows((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.publish();
			assertThat(reports.published()).isZero();
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> reports.read("a"))
				.withMessage("This node does not lead 'default'; the leader is 'rival'")
				.satisfies((refusal) -> assertThat(refusal.leader()).isPresent());
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(reports::count);
		});
	}

	@Test
	void whatIsSkippedReturnsSomethingEmpty() {
		Application.of(Reports.class).follows((context) -> {
			Reports reports = context.getBean(Reports.class);
			assertThat(reports.readOrNull()).isNull();
			assertThat(reports.find()).isEmpty();
			assertThat(reports.number()).isEmpty();
		});
	}

	@Test
	void whatReturnsNothingCanBeRefusedToo() {
		Application.of(Reports.class)
			.follows((context) -> assertThatExceptionOfType(NotLeaderException.class)
				.isThrownBy(context.getBean(Reports.class)::publishOrThrow));
	}

	@Test
	void anUnguardedMethodOfAGuardedBeanRunsAnywhere() {
		Application.of(Reports.class)
			.follows((context) -> assertThat(context.getBean(Reports.class).published()).isZero());
	}

	@Test
	void tokenAndLeadershipAreFilledInWhereTheCallerLeavesThemOut() {
		Application.of(Reports.class).leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			FencingToken token = context.getBean(LeaderElector.class).fencingToken().orElseThrow();
			assertThat(reports.token(null, "a", null)).isEqualTo(List.of(token, "a", token));
			FencingToken own = new FencingToken("default", 1);
			assertThat(reports.token(own, "a", null)).isEqualTo(List.of(own, "a", token));
		});
	}

	@Test
	void theLeadershipIsCurrentDuringTheCallAndOnlyThen() {
		Application.of(Reports.class).leads((context) -> {
			Leadership leadership = context.getBean(LeaderElector.class).leadership().orElseThrow();
			assertThat(context.getBean(Reports.class).current()).contains(leadership);
			assertThat(Leadership.current()).isEmpty();
		});
	}

	@Test
	void aStepDownInterruptsTheCallAndWaitsForIt() throws Exception {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			CompletableFuture<Void> call = CompletableFuture.runAsync(reports::untilInterrupted);
			await().until(() -> reports.isWaiting());
			assertThat(context.getBean(LeaderElector.class).operations().stepDown())
				.succeedsWithin(Duration.ofSeconds(10));
			assertThat(reports.isInterrupted()).isTrue();
			assertThat(call).succeedsWithin(Duration.ofSeconds(10));
		});
	}

	@Test
	void aCallThatIsNotInterruptedIsWaitedFor() {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			CompletableFuture<Void> call = CompletableFuture.runAsync(reports::untilReleased);
			await().until(() -> reports.isWaiting());
			CompletableFuture<Boolean> released = context.getBean(LeaderElector.class).operations().stepDown();
			await().until(() -> !context.getBean(LeaderElector.class).isLeader());
			reports.publish();
			assertThat(reports.published()).isZero();
			assertThat(application.leases().journal).isEmpty();
			assertThat(released).isNotDone();
			reports.release();
			assertThat(released).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
			assertThat(call).succeedsWithin(Duration.ofSeconds(10));
		});
	}

	@Test
	void whoLosesTheLeaseMeanwhileIsTold() {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			assertThatExceptionOfType(LeadershipLostException.class)
				.isThrownBy(() -> context.getBean(Reports.class).during(() -> application.leases().steal(elector)));
		});
	}

	@Test
	void theExceptionOfTheWorkGoesBeforeTheLoss() {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			IllegalStateException failure = new IllegalStateException("the work failed");
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> context.getBean(Reports.class).during(() -> {
					application.leases().steal(elector);
					throw failure;
				}))
				.isSameAs(failure)
				.satisfies((thrown) -> assertThat(thrown.getSuppressed())
					.hasOnlyElementsOfType(LeadershipLostException.class)
					.hasSize(1));
		});
	}

	@Test
	void withoutGuardingEverythingRunsEverywhere() {
		Application.of(Reports.class).with("leader-election.leader-only.enabled=false").follows((context) -> {
			context.getBean(Reports.class).publish();
			assertThat(context.getBean(Reports.class).published()).isEqualTo(1);
		});
	}

	static class Reports {

		private final CountDownLatch release = new CountDownLatch(1);

		private volatile int published;

		private volatile boolean waiting;

		private volatile boolean interrupted;

		boolean isWaiting() {
			return this.waiting;
		}

		boolean isInterrupted() {
			return this.interrupted;
		}

		void release() {
			this.release.countDown();
		}

		int published() {
			return this.published;
		}

		@LeaderOnly
		void publish() {
			this.published++;
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.THROW)
		void publishOrThrow() {
			this.published++;
		}

		@LeaderOnly
		void fail() {
			throw new IllegalStateException("failed");
		}

		@LeaderOnly
		String read(String name) {
			return "report " + name;
		}

		@LeaderOnly
		int count() {
			return this.published;
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		@Nullable String readOrNull() {
			return "a";
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		Optional<String> find() {
			return Optional.of("a");
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		OptionalInt number() {
			return OptionalInt.of(1);
		}

		@LeaderOnly
		List<Object> token(@Nullable FencingToken token, String name, @Nullable Leadership leadership) {
			return List.of(token, name, leadership.token());
		}

		@LeaderOnly
		Optional<Leadership> current() {
			return Leadership.current();
		}

		@LeaderOnly
		void during(Runnable action) {
			action.run();
		}

		@LeaderOnly
		void untilInterrupted() {
			this.waiting = true;
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				this.interrupted = true;
			}
		}

		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		void untilReleased() {
			this.waiting = true;
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
