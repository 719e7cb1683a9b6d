package io.leaderelection;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.leaderelection.LeadershipEvent.Gained;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.SHORT;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the threads of a node take from others, and leave behind.
 */
@Timeout(60)
class ThreadsOfANodeTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void theyAreDaemonsNamedAfterTheirWorkAndTheirNode() {
		LeaderElector elector = this.nodes.start("named", LONG).elector("reports");
		CompletableFuture<Thread> callback = new CompletableFuture<>();
		elector.onLeadershipGained(() -> callback.complete(Thread.currentThread()));
		assertThat(callback).succeedsWithin(SOON).satisfies((thread) -> {
			assertThat(thread.getName()).matches("leader-election-callback-\\d+ \\(named\\)");
			assertThat(thread.isDaemon()).isTrue();
		});
		List<String> names = Threads.of("named");
		assertThat(names).anyMatch((name) -> name.startsWith("leader-election-timer-"))
			.anyMatch((name) -> name.startsWith("leader-election-store-"));
	}

	@Test
	void theyEndSoonAfterTheStop() {
		LeaderElections node = this.nodes.start("ending", SHORT);
		LeaderElector elector = node.elector("reports");
		elector.onLeadershipLost(() -> {
		});
		leading(elector);
		node.stop();
		await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> assertThat(Threads.of("ending")).isEmpty());
	}

	@Test
	void theyDoNotKeepWhatTheCallerHadOnItsThread() throws Exception {
		InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
		LeaderElections node = this.nodes.make("clean", LONG, this.nodes.store());
		LeaderElector elector = node.elector("reports");
		CompletableFuture<String> seen = new CompletableFuture<>();
		elector.onLeadershipGained(() -> seen.complete("user: " + user.get()));
		Thread request = new Thread(() -> {
			user.set("alice");
			node.start();
		});
		request.start();
		request.join();
		assertThat(seen).succeedsWithin(SOON).isEqualTo("user: null");
	}

	@Test
	void theySeeTheClassesOfTheApplicationWhoeverStartsThem() throws Exception {
		ClassLoader application = Thread.currentThread().getContextClassLoader();
		LeaderElections node = this.nodes.make("loading", LONG, this.nodes.store());
		LeaderElector elector = node.elector("reports");
		CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
		elector.onLeadershipGained(() -> seen.complete(Thread.currentThread().getContextClassLoader()));
		try (URLClassLoader other = new URLClassLoader(new URL[0], null)) {
			Thread foreign = new Thread(node::start);
			foreign.setContextClassLoader(other);
			foreign.start();
			foreign.join();
			assertThat(seen).succeedsWithin(SOON).isSameAs(application);
		}
	}

	@Test
	void aLogThatBlocksHoldsUpNothingButTheLog() {
		Gate gate = this.nodes.gate();
		Handler blocking = new Handler() {

			@Override
			public void publish(LogRecord entry) {
				gate.pass();
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		Logger logger = Logger.getLogger("io.leaderelection");
		logger.addHandler(blocking);
		try {
			LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
			LeaderElector elector = node.elector("reports");
			CompletableFuture<FencingToken> gained = new CompletableFuture<>();
			elector.addListener(new LeadershipListener() {

				@Override
				public void gained(Gained event) {
					gained.complete(event.token());
				}

			});
			node.start();
			gate.awaitArrival();
			leading(elector);
			assertThat(gained).succeedsWithin(SOON);
			assertThat(elector.status().state()).isEqualTo(ElectionState.LEADER);
			assertThat(elector.operations().stepDown(Duration.ZERO)).succeedsWithin(SOON).isEqualTo(true);
			leading(elector);
		}
		finally {
			gate.open();
			logger.removeHandler(blocking);
		}
		until(() -> gate.waiting() == 0);
	}

}
