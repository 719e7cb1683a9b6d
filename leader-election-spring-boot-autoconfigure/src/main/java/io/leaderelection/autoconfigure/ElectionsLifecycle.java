package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Ties the elections to the life of their application context. They begin when the
 * application is ready. They begin to end as soon as the context closes, while web server
 * and schedulers still work, and have ended, or used up their drain timeout, before the
 * clients of the stores are closed.
 */
class ElectionsLifecycle implements SmartLifecycle {

	/**
	 * Between the task executors, which stop first, and the connection factories.
	 */
	static final int PHASE = Integer.MAX_VALUE / 4;

	/** What is stopped next would take the processor from what hands over. */
	private static final Duration HEAD_START = Duration.ofMillis(50);

	/** And from the next leader, which may run on the same machine. */
	static final Duration STANDSTILL = Duration.ofMillis(10);

	private static final String APPLICATION_ARGUMENTS = "springApplicationArguments";

	private static final Log logger = LogFactory.getLog(ElectionsLifecycle.class);

	private final LeaderElections elections;

	private final ApplicationContext context;

	private final String store;

	private final boolean autoStartup;

	private boolean running;

	private boolean ready;

	private boolean stands;

	ElectionsLifecycle(LeaderElections elections, ApplicationContext context, String store, boolean autoStartup) {
		this.elections = elections;
		this.context = context;
		this.store = store;
		this.autoStartup = autoStartup;
	}

	@Override
	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public synchronized void start() {
		this.running = true;
		stand();
	}

	/** As late as possible: runners have run, and other listeners have heard of it. */
	@EventListener
	@Order(Ordered.LOWEST_PRECEDENCE)
	void applicationReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			becomeReady();
		}
	}

	/** A context that no SpringApplication runs will hear of nothing later. */
	@EventListener
	@Order(Ordered.LOWEST_PRECEDENCE)
	void contextRefreshed(ContextRefreshedEvent event) {
		if (event.getApplicationContext() == this.context && !this.context.containsLocalBean(APPLICATION_ARGUMENTS)) {
			becomeReady();
		}
	}

	private synchronized void becomeReady() {
		this.ready = true;
		stand();
	}

	private void stand() {
		if (this.running && this.ready) {
			logger.info("Node '%s' stands for %s, decided by %s".formatted(this.elections.nodeId(),
					this.elections.electors().stream().map(LeaderElector::election).toList(), this.store));
			this.elections.start();
			this.stands = true;
		}
	}

	/**
	 * Stops admitting work before anything else is stopped. The event of a child context
	 * comes here, too, and means nothing.
	 */
	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void contextClosed(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			synchronized (this) {
				this.running = false;
			}
			boolean leads = leads();
			CompletableFuture<Void> withdrawn = this.elections.withdraw();
			if (leads && isDoneWithin(HEAD_START, withdrawn)) {
				LockSupport.parkNanos(STANDSTILL.toNanos());
			}
		}
	}

	private boolean leads() {
		for (LeaderElector elector : this.elections.electors()) {
			if (elector.isLeader()) {
				return true;
			}
		}
		return false;
	}

	private static boolean isDoneWithin(Duration patience, CompletableFuture<Void> withdrawn) {
		try {
			withdrawn.get(patience.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	@Override
	public void stop() {
		synchronized (this) {
			this.running = false;
		}
		this.elections.stop();
		synchronized (this) {
			if (this.stands) {
				this.stands = false;
				logger.info("Node '%s' stands for no election any more".formatted(this.elections.nodeId()));
			}
		}
	}

	/** Also while stopping: otherwise the shutdown would not wait. */
	@Override
	public synchronized boolean isRunning() {
		return this.running || this.stands || this.elections.isRunning();
	}

}
