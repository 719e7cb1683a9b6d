package io.leaderelection.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;

/**
 * Listens on a connection of its own for leases that were given up. Whenever the
 * subscription begins, the first time included, hints may have been missed before.
 *
 * <p>
 * Lettuce listens on its own threads and subscribes again by itself, so that the thread
 * made here ends at once. Jedis keeps it for as long as the connection lives, and leaves
 * it to us to subscribe again.
 */
final class WakeUpSubscription implements LeaseStore.Watch {

	private static final Log logger = LogFactory.getLog(WakeUpSubscription.class);

	private static final long FIRST_PAUSE_MILLIS = 50;

	private static final long LONGEST_PAUSE_MILLIS = 5000;

	private final RedisConnectionFactory connectionFactory;

	private final String channel;

	private final WakeUps wakeUps;

	private final CompletableFuture<Void> begun = new CompletableFuture<>();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final Thread thread;

	private @Nullable RedisConnection connection;

	private boolean listenedToByClient;

	private volatile long pauseMillis = FIRST_PAUSE_MILLIS;

	WakeUpSubscription(RedisConnectionFactory connectionFactory, String channel, WakeUps wakeUps) {
		this.connectionFactory = connectionFactory;
		this.channel = channel;
		this.wakeUps = wakeUps;
		this.thread = new Thread(this::listen, "leader-election-redis " + channel);
		this.thread.setDaemon(true);
	}

	/** Returns when the subscription has begun, or throws what the client has thrown. */
	void begin() {
		this.thread.start();
		try {
			this.begun.get();
		}
		catch (InterruptedException ex) {
			close();
			Thread.currentThread().interrupt();
			throw new LeaseStoreException("Interrupted while subscribing to " + this.channel, ex);
		}
		catch (ExecutionException ex) {
			close();
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
	}

	private void listen() {
		do {
			try {
				if (subscribe()) {
					return;
				}
			}
			catch (Throwable ex) {
				if (this.begun.completeExceptionally(ex)) {
					return;
				}
				if (!isClosed()) {
					lost(ex);
				}
			}
		}
		while (!closesWithin(nextPause()));
	}

	/** Returns whether the client goes on to listen on its own threads. */
	private boolean subscribe() {
		RedisConnection opened = this.connectionFactory.getConnection();
		setConnection(opened);
		try {
			opened.subscribe(new Listener(), this.channel.getBytes(StandardCharsets.UTF_8));
		}
		catch (Throwable ex) {
			setConnection(null);
			JedisSocket.closeSubscriber(opened);
			throw ex;
		}
		synchronized (this) {
			this.listenedToByClient = !isClosed() && opened.isSubscribed();
			if (this.listenedToByClient) {
				return true;
			}
			this.connection = null;
		}
		opened.close();
		return false;
	}

	private synchronized void setConnection(@Nullable RedisConnection connection) {
		this.connection = connection;
	}

	private void lost(Throwable failure) {
		if (this.pauseMillis == FIRST_PAUSE_MILLIS) {
			logger.warn("Lost the subscription to '%s', so that candidates wait for leases to end until it is back: %s"
				.formatted(this.channel, failure));
		}
		logger.debug("Lost the subscription to " + this.channel, failure);
	}

	private long nextPause() {
		long pause = this.pauseMillis;
		this.pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
		return pause;
	}

	private boolean isClosed() {
		return this.closed.getCount() == 0;
	}

	private boolean closesWithin(long millis) {
		try {
			return this.closed.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	@Override
	public void close() {
		RedisConnection open;
		boolean own;
		synchronized (this) {
			this.closed.countDown();
			open = this.connection;
			own = this.listenedToByClient;
			this.listenedToByClient = false;
		}
		if (open != null && own) {
			open.close();
		}
		else if (open != null) {
			unsubscribe(open);
		}
	}

	/**
	 * For a watch that was closed before it began. The threads of a client that does not
	 * block must not wait here, and need not: {@link #subscribe()} goes on.
	 */
	private void closeBlockedClient() {
		RedisConnection open;
		synchronized (this) {
			open = this.connection;
		}
		if (open != null && Thread.currentThread() == this.thread) {
			unsubscribe(open);
		}
	}

	/** Makes a client return that blocks while it is subscribed. */
	private static void unsubscribe(RedisConnection open) {
		Subscription subscription = open.getSubscription();
		if (subscription != null && subscription.isAlive()) {
			subscription.close();
		}
	}

	private final class Listener implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			if (!isClosed()) {
				WakeUpSubscription.this.wakeUps.wakeUp(new String(message.getBody(), StandardCharsets.UTF_8));
			}
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			if (isClosed()) {
				closeBlockedClient();
				return;
			}
			WakeUpSubscription.this.pauseMillis = FIRST_PAUSE_MILLIS;
			// in this order: who closes the watch as soon as it has begun gets no more
			// hints
			WakeUpSubscription.this.wakeUps.wakeUpAll();
			WakeUpSubscription.this.begun.complete(null);
		}

	}

}
