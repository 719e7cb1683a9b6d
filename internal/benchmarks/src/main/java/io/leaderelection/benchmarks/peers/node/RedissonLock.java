package io.leaderelection.benchmarks.peers.node;

import java.util.List;
import java.util.OptionalLong;

import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Redisson's fenced lock, kept by its watchdog. Redisson has no elector, so that each
 * lock has a thread that waits for it, holds it, and looks every third of a lease whether
 * it is still held. Nobody tells that thread; {@link Candidacy#leads} asks Redis.
 */
@Configuration(proxyBeanMethods = false)
class RedissonLock {

	@Bean(destroyMethod = "shutdown")
	RedissonClient redisson(NodeSettings settings) {
		Config config = new Config();
		config.setLockWatchdogTimeout(settings.lease().toMillis());
		config.useSingleServer().setAddress("redis://127.0.0.1:" + settings.port());
		return Redisson.create(config);
	}

	@Bean
	Holders candidacy(RedissonClient redisson, NodeSettings settings) {
		return new Holders(settings.names()
			.stream()
			.map((name) -> new Holder(redisson.getFencedLock(name), settings.lease().toMillis() / 3,
					name.equals(NodeSettings.name(0))))
			.toList());
	}

	private record Holders(List<Holder> holders) implements Candidacy, AutoCloseable {

		Holders {
			holders.forEach(Thread::start);
		}

		@Override
		public boolean leads(int election) {
			return this.holders.get(election).leads();
		}

		@Override
		public OptionalLong token() {
			return this.holders.get(0).token();
		}

		@Override
		public void close() {
			this.holders.forEach(Thread::interrupt);
			this.holders.forEach(Holder::awaitEnd);
		}

	}

	private static final class Holder extends Thread {

		private final RFencedLock lock;

		private final long lookMillis;

		private final boolean noted;

		private volatile boolean held;

		private volatile long token;

		Holder(RFencedLock lock, long lookMillis, boolean noted) {
			super("holder of " + lock.getName());
			this.lock = lock;
			this.lookMillis = lookMillis;
			this.noted = noted;
		}

		private void awaitEnd() {
			try {
				join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private boolean leads() {
			try {
				return this.held && this.lock.isHeldByThread(threadId());
			}
			catch (RuntimeException ex) {
				// no answer, so no leader
				return false;
			}
		}

		@SuppressWarnings("deprecation")
		private long threadId() {
			return getId();
		}

		private OptionalLong token() {
			return this.held ? OptionalLong.of(this.token) : OptionalLong.empty();
		}

		@Override
		public void run() {
			while (!isInterrupted()) {
				try {
					hold();
				}
				catch (InterruptedException ex) {
					interrupt();
				}
				catch (RuntimeException ex) {
					System.err.println("%s: %s".formatted(getName(), ex));
				}
			}
		}

		private void hold() throws InterruptedException {
			this.lock.lockInterruptibly();
			try {
				this.held = true;
				if (this.noted) {
					Diary.gained(0);
				}
				this.token = this.lock.getToken();
				while (this.lock.isHeldByCurrentThread()) {
					sleep(this.lookMillis);
				}
			}
			finally {
				this.held = false;
				if (this.lock.isHeldByCurrentThread()) {
					this.lock.unlock();
				}
			}
		}

	}

}
