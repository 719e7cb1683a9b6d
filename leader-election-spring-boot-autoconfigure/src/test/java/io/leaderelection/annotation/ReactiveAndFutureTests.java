package io.leaderelection.annotation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Work that begins later, or goes on after the method has returned.
 */
@Timeout(60)
class ReactiveAndFutureTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@Test
	void aFollowersStreamsAreEmptyOrFailAtTheirSubscription() {
		Application.of(Streams.class).follows((context) -> {
			Streams streams = context.getBean(Streams.class);
			Mono<String> refused = streams.one();
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> refused.block(SOON));
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> streams.many().blockLast(SOON));
			assertThat(streams.oneOrNone().block(SOON)).isNull();
			assertThat(streams.manyOrNone().collectList().block(SOON)).isEmpty();
			assertThat(streams.calls()).isZero();
		});
	}

	@Test
	void everySubscriptionAsksAnew() {
		Application application = Application.of(Streams.class);
		try (LeaderElections rival = application.leases().rival("default")) {
			application.runner().run((context) -> {
				Mono<String> one = context.getBean(Streams.class).one();
				assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> one.block(SOON));
				rival.stop();
				await().until(context.getBean(LeaderElector.class)::isLeader);
				assertThat(one.block(SOON)).isEqualTo("one");
				assertThat(one.block(SOON)).isEqualTo("one");
				assertThat(context.getBean(Streams.class).calls()).isEqualTo(2);
				assertThat(context.getBean(LeaderElector.class).operations().stepDown()).succeedsWithin(SOON);
				assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> one.block(SOON));
			});
		}
	}

	@Test
	void aStreamIsCountedUntilItEnds() {
		Application.of(Streams.class).leads((context) -> {
			Streams streams = context.getBean(Streams.class);
			assertCounts(context.getBean(LeaderElector.class), streams.endless(), streams::complete);
			streams.renew();
			assertCounts(context.getBean(LeaderElector.class), streams.endless(), streams::fail);
			streams.renew();
			Disposable subscription = streams.endless().subscribe();
			assertThat(context.getBean(LeaderElector.class).status().inFlight()).isEqualTo(1);
			subscription.dispose();
			assertThat(context.getBean(LeaderElector.class).status().inFlight()).isZero();
		});
	}

	private static void assertCounts(LeaderElector elector, Flux<String> stream, Runnable end) {
		stream.onErrorComplete().subscribe();
		assertThat(elector.status().inFlight()).isEqualTo(1);
		end.run();
		assertThat(elector.status().inFlight()).isZero();
	}

	@Test
	void aStreamIsCancelledWhenLeadershipBeginsToEnd() {
		Application.of(Streams.class).leads((context) -> {
			Streams streams = context.getBean(Streams.class);
			CompletableFuture<List<String>> values = streams.endless().collectList().toFuture();
			assertThat(context.getBean(LeaderElector.class).operations().stepDown()).succeedsWithin(SOON)
				.isEqualTo(true);
			assertThat(values).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeadershipLostException.class);
			assertThat(streams.subscribers()).isZero();
		});
	}

	@Test
	void aMonoIsCancelledToo() {
		Application.of(Streams.class).leads((context) -> {
			CompletableFuture<String> value = context.getBean(Streams.class).never().toFuture();
			assertThat(context.getBean(LeaderElector.class).operations().stepDown()).succeedsWithin(SOON)
				.isEqualTo(true);
			assertThat(value).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeadershipLostException.class);
		});
	}

	@Test
	void aStreamThatIsLeftAloneIsWaitedFor() {
		Application application = Application.of(Streams.class);
		application.leads((context) -> {
			Streams streams = context.getBean(Streams.class);
			CompletableFuture<List<String>> values = streams.patient().collectList().toFuture();
			CompletableFuture<Boolean> released = context.getBean(LeaderElector.class).operations().stepDown();
			await().until(() -> !context.getBean(LeaderElector.class).isLeader());
			assertThat(application.leases().journal).isEmpty();
			streams.complete();
			assertThat(released).succeedsWithin(SOON).isEqualTo(true);
			assertThat(values).succeedsWithin(SOON);
		});
	}

	@Test
	void aStreamThatOutlastsTheLeaseFails() {
		Application application = Application.of(Streams.class);
		application.leads((context) -> {
			Streams streams = context.getBean(Streams.class);
			CompletableFuture<List<String>> values = streams.patient().collectList().toFuture();
			CompletableFuture<String> value = streams.patientOne().toFuture();
			application.leases().steal(context.getBean(LeaderElector.class));
			streams.complete();
			assertThat(values).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeadershipLostException.class);
			assertThat(value).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeadershipLostException.class);
		});
	}

	@Test
	void theTokenOfAStreamIsThatOfItsSubscription() {
		Application.of(Streams.class).leads((context) -> {
			Streams streams = context.getBean(Streams.class);
			LeaderElector elector = context.getBean(LeaderElector.class);
			Mono<FencingToken> token = streams.token(null);
			FencingToken first = elector.fencingToken().orElseThrow();
			assertThat(token.block(SOON)).isEqualTo(first);
			assertThat(elector.operations().stepDown(Duration.ZERO)).succeedsWithin(SOON);
			await().until(elector::isLeader);
			assertThat(token.block(SOON)).isEqualTo(elector.fencingToken().orElseThrow()).isNotEqualTo(first);
		});
	}

	@Test
	void operatorsSeeTheLeadership() {
		Application.of(Streams.class).leads((context) -> {
			Streams streams = context.getBean(Streams.class);
			Leadership leadership = context.getBean(LeaderElector.class).leadership().orElseThrow();
			assertThat(streams.inSubscription().block(SOON)).isSameAs(leadership);
			assertThat(streams.inContext().block(SOON)).isSameAs(leadership);
			assertThat(CurrentLeadership.get()).isNull();
		});
	}

	@Test
	void operatorsOnOtherThreadsSeeTheLeadershipWithAutomaticContextPropagation() {
		Application.of(Streams.class).leads((context) -> {
			Leadership leadership = context.getBean(LeaderElector.class).leadership().orElseThrow();
			Hooks.enableAutomaticContextPropagation();
			try {
				assertThat(context.getBean(Streams.class).elsewhere().block(SOON)).isSameAs(leadership);
			}
			finally {
				Hooks.disableAutomaticContextPropagation();
			}
		});
	}

	@Test
	void aFollowersFuturesAreEmptyOrFail() {
		Application.of(Futures.class).follows((context) -> {
			Futures futures = context.getBean(Futures.class);
			assertThat(futures.stage().toCompletableFuture()).failsWithin(SOON)
				.withThrowableThat()
				.withCauseInstanceOf(NotLeaderException.class);
			assertThat(futures.stageOrNone()).succeedsWithin(SOON).isNull();
			assertThat(futures.calls()).isZero();
		});
	}

	@Test
	void aFutureIsCountedUntilItEnds() {
		Application.of(Futures.class).leads((context) -> {
			Futures futures = context.getBean(Futures.class);
			LeaderElector elector = context.getBean(LeaderElector.class);
			CompletionStage<String> value = futures.stage();
			assertThat(elector.status().inFlight()).isEqualTo(1);
			futures.source().complete("done");
			assertThat(value.toCompletableFuture()).succeedsWithin(SOON).isEqualTo("done");
			assertThat(elector.status().inFlight()).isZero();
			assertThatIllegalStateException().isThrownBy(futures::failing).withMessage("failed");
			assertThat(elector.status().inFlight()).isZero();
		});
	}

	@Test
	void aFutureIsCancelledWhenLeadershipBeginsToEnd() {
		Application.of(Futures.class).leads((context) -> {
			Futures futures = context.getBean(Futures.class);
			CompletionStage<String> value = futures.stage();
			assertThat(context.getBean(LeaderElector.class).operations().stepDown()).succeedsWithin(SOON)
				.isEqualTo(true);
			assertThat(value.toCompletableFuture()).failsWithin(SOON)
				.withThrowableThat()
				.withCauseInstanceOf(LeadershipLostException.class);
			assertThat(futures.source()).isCancelled();
		});
	}

	@Test
	void aFutureThatItsCallerCancelsIsOver() {
		Application.of(Futures.class).leads((context) -> {
			Futures futures = context.getBean(Futures.class);
			futures.stage().toCompletableFuture().cancel(true);
			assertThat(futures.source()).isCancelled();
			assertThat(context.getBean(LeaderElector.class).status().inFlight()).isZero();
		});
	}

	@Test
	void aFutureThatIsLeftAloneIsWaitedForAndFailsIfItOutlastsTheLease() {
		Application application = Application.of(Futures.class);
		application.leads((context) -> {
			Futures futures = context.getBean(Futures.class);
			CompletableFuture<String> value = futures.patient();
			application.leases().steal(context.getBean(LeaderElector.class));
			assertThat(value).isNotDone();
			futures.source().complete("done");
			assertThat(value).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeadershipLostException.class);
		});
	}

	@Test
	void aFutureThatCannotBeFollowedIsRefused() {
		Application.of(Futures.class).leads((context) -> {
			assertThatIllegalStateException().isThrownBy(context.getBean(Futures.class)::task)
				.withMessageContainingAll("Futures.task()", "FutureTask", "Return a CompletionStage");
			assertThat(context.getBean(Futures.class).disguised("a")).isEqualTo("a");
			assertThat(context.getBean(Futures.class).disguised(null)).isNull();
			assertThat(context.getBean(Futures.class).disguised(Optional.empty())).isEqualTo(Optional.empty());
			Stream
				.of(Mono.just("a"), new CompletableFuture<>(), new FutureTask<>(() -> "a"), Optional.of(Mono.just("a")))
				.forEach((work) -> assertThatIllegalStateException()
					.isThrownBy(() -> context.getBean(Futures.class).disguised(work))
					.withMessageContainingAll("Futures.disguised()", "declared to return Object",
							"Declare the type that it returns"));
			assertThat(context.getBean(LeaderElector.class).status().inFlight()).isZero();
		});
	}

	@Test
	void workWithinWorkIsWaitedForToo() {
		Application.of(Futures.class).leads((context) -> {
			Futures futures = context.getBean(Futures.class);
			LeaderElector elector = context.getBean(LeaderElector.class);
			futures.outer(() -> {
				elector.operations().stepDown();
				await().until(() -> !elector.isLeader());
				CompletableFuture<String> inner = futures.stage().toCompletableFuture();
				assertThat(elector.status().inFlight()).isEqualTo(2);
				awaitEndingActions();
				assertThat(inner).isNotDone();
				futures.source().complete("done");
				assertThat(inner).succeedsWithin(SOON).isEqualTo("done");
			});
		});
	}

	/** Returns when what was to be cancelled has been. */
	private static void awaitEndingActions() {
		CompletableFuture<Void> run = new CompletableFuture<>();
		Leadership.current().orElseThrow().onEnding(() -> run.complete(null));
		assertThat(run).succeedsWithin(SOON);
	}

	static class Streams {

		private final AtomicInteger calls = new AtomicInteger();

		private Sinks.Many<String> sink = Sinks.many().multicast().directBestEffort();

		int calls() {
			return this.calls.get();
		}

		int subscribers() {
			return this.sink.currentSubscriberCount();
		}

		void complete() {
			this.sink.tryEmitComplete();
		}

		void fail() {
			this.sink.tryEmitError(new IllegalStateException("on purpose"));
		}

		void renew() {
			this.sink = Sinks.many().multicast().directBestEffort();
		}

		@LeaderOnly
		Mono<String> one() {
			this.calls.incrementAndGet();
			return Mono.just("one");
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		Mono<String> oneOrNone() {
			this.calls.incrementAndGet();
			return Mono.just("one");
		}

		@LeaderOnly
		Flux<String> many() {
			this.calls.incrementAndGet();
			return Flux.just("one", "two");
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		Flux<String> manyOrNone() {
			this.calls.incrementAndGet();
			return Flux.just("one", "two");
		}

		@LeaderOnly
		Flux<String> endless() {
			return this.sink.asFlux();
		}

		@LeaderOnly
		Mono<String> never() {
			return Mono.never();
		}

		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		Flux<String> patient() {
			return this.sink.asFlux();
		}

		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		Mono<String> patientOne() {
			return this.sink.asFlux().defaultIfEmpty("one").next();
		}

		@LeaderOnly
		Mono<FencingToken> token(@Nullable FencingToken token) {
			return Mono.justOrEmpty(token);
		}

		@LeaderOnly
		Mono<Leadership> inSubscription() {
			return Mono.fromCallable(CurrentLeadership::get);
		}

		@LeaderOnly
		Mono<Leadership> inContext() {
			return Mono.just("a")
				.publishOn(Schedulers.single())
				.flatMap((value) -> Mono.deferContextual((context) -> Mono.just(context.get(Leadership.class))));
		}

		@LeaderOnly
		Mono<Leadership> elsewhere() {
			return Mono.just("a").publishOn(Schedulers.single()).mapNotNull((value) -> CurrentLeadership.get());
		}

	}

	static class Futures {

		private final CompletableFuture<String> source = new CompletableFuture<>();

		private final AtomicInteger calls = new AtomicInteger();

		int calls() {
			return this.calls.get();
		}

		CompletableFuture<String> source() {
			return this.source;
		}

		@LeaderOnly
		CompletionStage<String> stage() {
			this.calls.incrementAndGet();
			return this.source;
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		CompletableFuture<String> stageOrNone() {
			this.calls.incrementAndGet();
			return this.source;
		}

		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		CompletableFuture<String> patient() {
			return this.source;
		}

		@LeaderOnly
		CompletableFuture<String> failing() {
			throw new IllegalStateException("failed");
		}

		@LeaderOnly
		Future<String> task() {
			return new FutureTask<>(() -> "done");
		}

		@LeaderOnly
		@Nullable Object disguised(@Nullable Object result) {
			return result;
		}

		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		void outer(Runnable work) {
			work.run();
		}

	}

}
