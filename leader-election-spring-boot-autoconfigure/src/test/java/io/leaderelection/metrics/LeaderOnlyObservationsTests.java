package io.leaderelection.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.annotation.NotLeaderPolicy;
import io.leaderelection.test.TestLeadership;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What a trace shows of guarded calls.
 */
@Timeout(60)
class LeaderOnlyObservationsTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Journal journal = new Journal();

	private final TestLeadership leadership = new TestLeadership();

	@AfterEach
	void close() {
		this.leadership.close();
	}

	@Test
	void aCallTellsWhoLedWithWhichToken() {
		leading((jobs, leadership) -> {
			FencingToken token = leadership.grant("reports");
			jobs.publish(() -> {
			});
			Observation.Context seen = this.journal.only("leader.only");
			assertThat(seen.getContextualName()).isEqualTo("leader-only Jobs.publish");
			assertThat(seen.getLowCardinalityKeyValues()).containsExactlyInAnyOrder(KeyValue.of("election", "reports"),
					KeyValue.of("method", "Jobs.publish"), KeyValue.of("outcome", "executed"));
			assertThat(seen.getHighCardinalityKeyValues()).containsExactlyInAnyOrder(
					KeyValue.of("node", leadership.elections().nodeId()),
					KeyValue.of("token", Long.toString(token.value())));
			assertThat(seen.getError()).isNull();
		});
	}

	@Test
	void aCallIsTheParentOfWhatHappensInsideAndTheChildOfWhatIsAround() {
		leading((jobs, leadership) -> {
			observe("outer", () -> jobs.publish(() -> observe("inner", () -> {
			})));
			assertThat(this.journal.parents()).containsExactly("inner < leader.only", "leader.only < outer", "outer");
			assertNothingIsOpen();
		});
	}

	@Test
	void callsThatDoNotRunAreNotObserved() {
		run((jobs, leadership) -> {
			jobs.publish(() -> {
			});
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(jobs::count);
			assertThat(jobs.noneOrMany().collectList().block(SOON)).isEmpty();
			assertThat(this.journal.stopped).isEmpty();
		});
	}

	@Test
	void anExceptionIsAnError() {
		leading((jobs, leadership) -> {
			assertThatIllegalStateException().isThrownBy(() -> jobs.publish(() -> {
				throw new IllegalStateException("on purpose");
			}));
			assertThat(this.journal.only("leader.only").getError()).hasMessage("on purpose");
			assertThat(outcome()).isEqualTo("executed");
			assertNothingIsOpen();
		});
	}

	@Test
	void aLossIsAnErrorToo() {
		leading((jobs, leadership) -> {
			assertThatExceptionOfType(LeadershipLostException.class)
				.isThrownBy(() -> jobs.publish(() -> leadership.expire("reports")));
			assertThat(this.journal.only("leader.only").getError()).isInstanceOf(LeadershipLostException.class);
			assertThat(outcome()).isEqualTo("lost");
			assertNothingIsOpen();
		});
	}

	@Test
	void aFutureIsObservedUntilItIsComplete() {
		leading((jobs, leadership) -> {
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> result = jobs.later(work, () -> observe("inner", () -> {
			}));
			assertThat(this.journal.parents()).containsExactly("inner < leader.only");
			assertNothingIsOpen();
			CompletableFuture.runAsync(() -> work.complete("done")).join();
			assertThat(result).succeedsWithin(SOON).isEqualTo("done");
			assertThat(this.journal.parents()).containsExactly("inner < leader.only", "leader.only");
		});
	}

	@Test
	void aFutureThatFailsIsAnError() {
		leading((jobs, leadership) -> {
			CompletableFuture<String> result = jobs
				.later(CompletableFuture.failedFuture(new IllegalStateException("on purpose")), () -> {
				});
			assertThat(result).failsWithin(SOON);
			assertThat(this.journal.only("leader.only").getError()).hasMessage("on purpose");
		});
	}

	@Test
	void aStreamIsTheChildOfTheObservationInItsSubscribersContext() {
		leading((jobs, leadership) -> {
			Observation around = Observation.start("around", this.registry);
			Mono<String> mono = jobs.one(() -> observe("inner", () -> {
			})).contextWrite((context) -> context.put(ObservationThreadLocalAccessor.KEY, around));
			observe("elsewhere", () -> assertThat(mono.block(SOON)).isEqualTo("one"));
			assertThat(this.journal.parents()).containsExactly("inner < leader.only", "leader.only < around",
					"elsewhere");
			assertNothingIsOpen();
			around.stop();
		});
	}

	@Test
	void aStreamCarriesItsObservationInItsContext() {
		leading((jobs, leadership) -> {
			assertThat(jobs.inContext().block(SOON)).isEqualTo("leader.only");
			assertThat(jobs.allInContext().blockLast(SOON)).isEqualTo("leader.only");
			assertThat(this.journal.parents()).containsExactly("leader.only", "leader.only");
			assertNothingIsOpen();
		});
	}

	@Test
	void whatAStreamDoesOnOtherThreadsIsInsideWithAutomaticContextPropagation() {
		leading((jobs, leadership) -> {
			Hooks.enableAutomaticContextPropagation();
			try {
				assertThat(jobs.elsewhere(() -> observe("inner", () -> {
				})).block(SOON)).isEqualTo("one");
			}
			finally {
				Hooks.disableAutomaticContextPropagation();
			}
			// the stream ends on the other thread, after its value has come
			await().until(() -> this.journal.stopped.size() == 2);
			assertThat(this.journal.parents()).containsExactly("inner < leader.only", "leader.only");
			assertNothingIsOpen();
		});
	}

	@Test
	void everySubscriptionIsObservedUntilItsEnd() {
		leading((jobs, leadership) -> {
			Flux<String> endless = jobs.endless();
			Disposable first = endless.subscribe();
			Disposable second = endless.subscribe();
			assertThat(this.journal.stopped).isEmpty();
			first.dispose();
			assertThat(this.journal.parents()).containsExactly("leader.only");
			second.dispose();
			assertThat(this.journal.stopped).hasSize(2).allMatch((seen) -> seen.getError() == null);
			assertNothingIsOpen();
		});
	}

	@Test
	void aStreamThatLosesItsLeadershipIsAnError() {
		leading((jobs, leadership) -> {
			CompletableFuture<List<String>> values = jobs.endless().collectList().toFuture();
			leadership.revoke("reports");
			assertThat(values).failsWithin(SOON);
			assertThat(this.journal.only("leader.only").getError()).isInstanceOf(LeadershipLostException.class);
			assertThat(outcome()).isEqualTo("lost");
		});
	}

	@Test
	void anotherConventionNamesThemOtherwise() {
		this.registry.observationConfig().observationHandler(this.journal);
		runner().withBean(LeaderOnlyObservationConvention.class, () -> new DefaultLeaderOnlyObservationConvention() {

			@Override
			public String getName() {
				return "work.of.the.leader";
			}

		}).run((context) -> {
			this.leadership.grant("reports");
			context.getBean(Jobs.class).publish(() -> {
			});
			assertThat(this.journal.parents()).containsExactly("work.of.the.leader");
		});
	}

	@Test
	void whatIsSwitchedOffIsNotObserved() {
		this.registry.observationConfig().observationPredicate((name, context) -> !name.equals("leader.only"));
		leading((jobs, leadership) -> {
			observe("outer", () -> jobs.publish(() -> observe("inner", () -> {
			})));
			assertThat(this.journal.parents()).containsExactly("inner < outer", "outer");
		});
	}

	@Test
	void withoutHandlersNothingIsMade() {
		runner().run((context) -> {
			this.leadership.grant("reports");
			Leadership present = this.leadership.elections().elector("reports").leadership().orElseThrow();
			assertThat(context.getBean(LeaderOnlyObservations.class)
				.begin(present, Jobs.class.getDeclaredMethod("count"), (key) -> null)).isNull();
		});
	}

	private String outcome() {
		return this.journal.only("leader.only").getLowCardinalityKeyValue("outcome").getValue();
	}

	private void assertNothingIsOpen() {
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	private void observe(String name, Runnable work) {
		Observation.createNotStarted(name, this.registry).observe(work);
	}

	private void leading(Scenario scenario) {
		run((jobs, leadership) -> {
			leadership.grant("reports");
			scenario.play(jobs, leadership);
		});
	}

	private void run(Scenario scenario) {
		this.registry.observationConfig().observationHandler(this.journal);
		runner().run((context) -> {
			assertThat(context).hasNotFailed();
			scenario.play(context.getBean(Jobs.class), this.leadership);
		});
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaderOnlyAutoConfiguration.class,
					LeaderElectionMetricsAutoConfiguration.class))
			.withBean(LeaderElections.class, () -> this.leadership.elections())
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withBean(Jobs.class);
	}

	@FunctionalInterface
	interface Scenario {

		void play(Jobs jobs, TestLeadership leadership);

	}

	/**
	 * Keeps what has ended.
	 */
	static final class Journal implements ObservationHandler<Observation.Context> {

		final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context);
		}

		Observation.Context only(String name) {
			List<Observation.Context> named = this.stopped.stream()
				.filter((context) -> name.equals(context.getName()))
				.toList();
			assertThat(named).hasSize(1);
			return named.get(0);
		}

		List<String> parents() {
			return this.stopped.stream()
				.map((context) -> context.getName() + ((context.getParentObservation() != null)
						? " < " + context.getParentObservation().getContextView().getName() : ""))
				.toList();
		}

	}

	static class Jobs {

		@LeaderOnly("reports")
		void publish(Runnable work) {
			work.run();
		}

		@LeaderOnly("reports")
		int count() {
			return 1;
		}

		@LeaderOnly(value = "reports", onLoss = OnLoss.SIGNAL)
		CompletableFuture<String> later(CompletableFuture<String> result, Runnable work) {
			work.run();
			return result;
		}

		@LeaderOnly("reports")
		Mono<String> one(Runnable work) {
			work.run();
			return Mono.just("one");
		}

		@LeaderOnly("reports")
		Mono<String> inContext() {
			return Mono.deferContextual((context) -> Mono.just(name(context.get(ObservationThreadLocalAccessor.KEY))));
		}

		@LeaderOnly("reports")
		Flux<String> allInContext() {
			return Flux.deferContextual((context) -> Flux.just(name(context.get(ObservationThreadLocalAccessor.KEY))));
		}

		private static String name(Observation observation) {
			return observation.getContextView().getName();
		}

		@LeaderOnly("reports")
		Mono<String> elsewhere(Runnable work) {
			return Mono.just("one").publishOn(Schedulers.boundedElastic()).doOnNext((value) -> work.run());
		}

		@LeaderOnly("reports")
		Flux<String> endless() {
			return Flux.never();
		}

		@LeaderOnly(value = "reports", otherwise = NotLeaderPolicy.SKIP)
		Flux<String> noneOrMany() {
			return Flux.just("one");
		}

	}

}
