package io.leaderelection.web;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.leaderelection.FencingToken;
import io.leaderelection.fencing.InMemoryFence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes over HTTP under tokens that are not the newest any more.
 */
public class StaleWritesTests {

	private static final int ATTEMPTS = 1_000;

	private static final int CLIENTS = 8;

	@ParameterizedTest
	@EnumSource
	void noneOfAThousandStaleWritesIsAccepted(Stack stack) throws Exception {
		try (WebServer server = WebServer.start(stack, List.of(Door.class), "leader-election.enabled=false")) {
			AtomicLong answered = new AtomicLong(1);
			assertThat(write(server, "/door", 1)).isEqualTo(200);
			AtomicInteger toGo = new AtomicInteger(ATTEMPTS);
			AtomicInteger fresh = new AtomicInteger();
			List<Callable<Void>> clients = new ArrayList<>();
			clients.add(() -> {
				// leaders come and go, and each writes
				for (long token = 2; toGo.get() > 0; token++) {
					assertThat(write(server, "/door", token)).isEqualTo(200);
					answered.set(token);
					fresh.incrementAndGet();
				}
				return null;
			});
			ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();
			for (int i = 0; i < CLIENTS; i++) {
				clients.add(() -> {
					while (answered.get() < 2) {
						Thread.onSpinWait();
					}
					while (toGo.getAndDecrement() > 0) {
						// stale for certain: a higher one has been answered
						long stale = ThreadLocalRandom.current().nextLong(1, answered.get());
						statuses.add(write(server, "/door", stale));
					}
					return null;
				});
			}
			run(clients);
			long accepted = statuses.stream().filter((status) -> status == 200).count();
			System.out.printf("Stale writes over HTTP (%s): %d of %d accepted, beside %d writes of rising tokens%n",
					stack, accepted, statuses.size(), fresh.get());
			assertThat(statuses).hasSize(ATTEMPTS).containsOnly(412);
			assertThat(server.bean(Door.class).written).isSorted().hasSize(fresh.get() + 1);
		}
	}

	@ParameterizedTest
	@EnumSource
	void writesInAnyOrderLeaveAHistoryThatOnlyRises(Stack stack) throws Exception {
		try (WebServer server = WebServer.start(stack, List.of(Resource.class), "leader-election.enabled=false")) {
			Resource resource = server.bean(Resource.class);
			AtomicLong newest = new AtomicLong(1);
			AtomicInteger accepted = new AtomicInteger();
			AtomicInteger refused = new AtomicInteger();
			List<Callable<Void>> clients = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				clients.add(() -> {
					for (int n = 0; n < ATTEMPTS / CLIENTS; n++) {
						long token = (n % 3 == 0) ? newest.incrementAndGet()
								: Math.max(1, newest.get() - ThreadLocalRandom.current().nextInt(4));
						int status = write(server, "/resource", token);
						assertThat(status).isIn(200, 412);
						((status == 200) ? accepted : refused).incrementAndGet();
					}
					return null;
				});
			}
			run(clients);
			System.out.printf("Racing writes over HTTP (%s): %d accepted, %d refused, %d of them at the resource%n",
					stack, accepted.get(), refused.get(), resource.refused.get());
			assertThat(resource.written).isSorted().hasSize(accepted.get());
			assertThat(refused).hasPositiveValue();
		}
	}

	/** The check at the door is not enough for a handler that takes its time. */
	@ParameterizedTest
	@EnumSource
	void aHandlerThatWasOvertakenIsRefusedAtTheResource(Stack stack) throws Exception {
		try (WebServer server = WebServer.start(stack, List.of(Resource.class), "leader-election.enabled=false")) {
			Resource resource = server.bean(Resource.class);
			CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> write(server, "/resource/slow", 1));
			assertThat(resource.begun.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(write(server, "/resource", 2)).isEqualTo(200);
			resource.goOn.countDown();
			assertThat(slow.get(10, TimeUnit.SECONDS)).isEqualTo(412);
			assertThat(resource.written).containsExactly(2L);
			assertThat(resource.refused).hasValue(1);
		}
	}

	private static int write(WebServer server, String path, long token) {
		return server.post(path, "Fencing-Token", TokenHeader.format(new FencingToken("reports", token))).status();
	}

	private static void run(List<Callable<Void>> clients) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(clients.size());
		try {
			for (Future<Void> client : threads.invokeAll(clients, 60, TimeUnit.SECONDS)) {
				client.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Leaves it to the parameter to refuse a stale token.
	 */
	@RestController
	public static class Door {

		private final List<Long> written = new ArrayList<>();

		@PostMapping("/door")
		synchronized String write(@CallerToken("reports") FencingToken token) {
			this.written.add(token.value());
			return "written";
		}

		@PostMapping("/door/any")
		String writeAny(@CallerToken FencingToken token) {
			return "written";
		}

	}

	/**
	 * Checks the token again where the write is decided.
	 */
	@RestController
	static class Resource {

		private final InMemoryFence fence = new InMemoryFence();

		private final List<Long> written = new ArrayList<>();

		private final AtomicInteger refused = new AtomicInteger();

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		@PostMapping("/resource")
		String write(@CallerToken("reports") FencingToken token) {
			synchronized (this.written) {
				try {
					this.fence.check(token);
				}
				catch (RuntimeException ex) {
					this.refused.incrementAndGet();
					throw ex;
				}
				this.written.add(token.value());
				return "written";
			}
		}

		@PostMapping("/resource/slow")
		Mono<String> slow(@CallerToken("reports") FencingToken token) {
			return Mono.fromCallable(() -> {
				this.begun.countDown();
				assertThat(this.goOn.await(10, TimeUnit.SECONDS)).isTrue();
				return write(token);
			}).subscribeOn(Schedulers.boundedElastic());
		}

	}

}
