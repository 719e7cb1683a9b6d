package io.leaderelection.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.Queue;

import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Subscriptions come back by themselves, cost no more than a thread, and go when they are
 * closed. Calls to a server that hangs can be interrupted.
 */
class RedisWakeUpsTests {

	private static final Duration LEASE = Duration.ofSeconds(10);

	private final RedisClients clients = new RedisClients();

	private RedisServer server;

	enum Client {

		LETTUCE(RedisClients::lettuce, 0), JEDIS(RedisClients::jedis, 1);

		private final BiFunction<RedisClients, RedisServer, RedisConnectionFactory> connect;

		private final int threads;

		Client(BiFunction<RedisClients, RedisServer, RedisConnectionFactory> connect, int threads) {
			this.connect = connect;
			this.threads = threads;
		}

	}

	@BeforeEach
	void startServer() {
		this.server = RedisServer.start();
	}

	@AfterEach
	void stopServer() {
		this.server.resume();
		this.clients.close();
		this.server.close();
	}

	@ParameterizedTest
	@EnumSource
	void aLostSubscriptionComesBackAndTellsThatHintsMayHaveBeenMissed(Client client) {
		LeaseStore store = store(client);
		Counted hints = new Counted();
		try (Watch watch = store.watch(hints).orElseThrow()) {
			assertThat(watch).isNotNull();
			await().until(() -> hints.all.get() == 1);
			for (int i = 2; i < 5; i++) {
				int times = i;
				killSubscriptions();
				await().until(() -> hints.all.get() == times);
				String election = "election " + i;
				Candidate holder = Candidate.of(store, LEASE);
				holder.releases(holder.wins(election));
				await().until(() -> hints.elections.contains(election));
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void aSubscriptionComesBackWhenTheServerWasAwayForAWhile(Client client) {
		LeaseStore store = store(client);
		Counted hints = new Counted();
		try (Watch watch = store.watch(hints).orElseThrow()) {
			assertThat(watch).isNotNull();
			await().until(() -> hints.all.get() == 1);
			this.server.kill();
			await().pollDelay(Duration.ofMillis(500)).until(() -> true);
			this.server.startAgain();
			await().until(() -> hints.all.get() == 2);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aWatchCostsNoMoreThanAThreadAndAConnectionAndGivesThemBack(Client client) {
		LeaseStore store = store(client);
		Watch watch = store.watch(new Counted()).orElseThrow();
		await().until(() -> threads() == client.threads);
		assertThat(subscriptions()).isOne();
		watch.close();
		await().until(() -> threads() == 0);
		await().until(() -> subscriptions() == 0);
		watch.close();
	}

	@ParameterizedTest
	@EnumSource
	void aWatchThatWasInterruptedIsNotLeftBehind(Client client) throws Exception {
		LeaseStore store = store(client);
		store.read("reports");
		this.server.pause();
		Interruptible call = new Interruptible(() -> store.watch(new Counted()));
		await().until(() -> threads() == 1);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(call::interrupt);
		this.server.resume();
		await().until(() -> threads() == 0);
		await().until(() -> subscriptions() == 0);
	}

	@Test
	void anInterruptEndsTheWaitForAServerThatHangs() {
		LeaseStore store = store(Client.LETTUCE);
		Candidate node = Candidate.of(store, LEASE);
		node.wins("reports");
		this.server.pause();
		long start = System.nanoTime();
		Interruptible call = new Interruptible(() -> node.asksFor("reports"));
		await().until(call::isWaiting);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(call::interrupt);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatIsNotThereCannotBeWatched(Client client) {
		LeaseStore store = store(client);
		this.server.kill();
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> store.watch(new Counted()));
		await().until(() -> threads() == 0);
		this.server.startAgain();
	}

	private LeaseStore store(Client client) {
		return new RedisLeaseStore(client.connect.apply(this.clients, this.server));
	}

	private void killSubscriptions() {
		this.server.ask((jedis) -> jedis.clientKill(ClientKillParams.clientKillParams().type(ClientType.PUBSUB)));
	}

	private long subscriptions() {
		return this.server.ask((jedis) -> jedis.clientList(ClientType.PUBSUB).lines().count());
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("leader-election-redis"))
			.count();
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
	}

	private static final class Counted implements WakeUps {

		private final AtomicInteger all = new AtomicInteger();

		private final Queue<String> elections = new ConcurrentLinkedQueue<>();

		@Override
		public void wakeUp(String election) {
			this.elections.add(election);
		}

		@Override
		public void wakeUpAll() {
			this.all.incrementAndGet();
		}

		@Override
		public void leasesLost() {
			throw new AssertionError("No lease is bound to the subscription");
		}

	}

	private static final class Interruptible {

		private final CompletableFuture<Void> done = new CompletableFuture<>();

		private final Thread thread;

		private Interruptible(Runnable call) {
			this.thread = new Thread(() -> {
				try {
					call.run();
					this.done.complete(null);
				}
				catch (Throwable ex) {
					this.done.completeExceptionally(ex);
				}
			});
			this.thread.start();
		}

		private boolean isWaiting() {
			return this.thread.getState() == Thread.State.TIMED_WAITING
					|| this.thread.getState() == Thread.State.WAITING;
		}

		private void interrupt() throws Throwable {
			this.thread.interrupt();
			try {
				this.done.get();
			}
			catch (ExecutionException ex) {
				throw ex.getCause();
			}
		}

	}

}
