package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.Ordered;

/**
 * Ties the elections to the life of their application context. They begin when the
 * application is ready. They begin to end as soon as the JVM is told to end or the
 * context closes, while web server and schedulers still work, and have ended, or used up
 * their drain timeout, before the clients of the stores are closed.
 */
class ElectionsLifecycle implements SmartLifecycle, SmartInitializingSingleton {

	/**
	 * Between the task executors, which stop first, and the connection factories.
	 */
	static final int PHASE = Integer.MAX_VALUE / 4;

	/** What is stopped next would take the processor from what hands over. */
	private static final Duration HEAD_START = Duration.ofMillis(50);

	private static final String APPLICATION_ARGUMENTS = "springApplicationArguments";

	/** Who wants no hook from Spring wants none from here either. */
	private static final String REGISTER_SHUTDOWN_HOOK = "spring.main.register-shutdown-hook";

	private static final Log logger = LogFactory.getLog(ElectionsLifecycle.class);

	private final LeaderElections elections;

	private final ConfigurableApplicationContext context;

	private final String store;

	private final boolean autoStartup;

	private final ShutdownHooks hooks;

	private @Nullable Thread hook;

	private boolean running;

	private boolean ready;

	private boolean stands;

	/** Leadership is being given up, or has been, on the way to the end. */
	private boolean handsOver;

	ElectionsLifecycle(LeaderElections elections, ConfigurableApplicationContext context, String store,
			boolean autoStartup, ShutdownHooks hooks) {
		this.elections = elections;
		this.context = context;
		this.store = store;
		this.autoStartup = autoStartup;
		this.hooks = hooks;
	}

	/** Listeners that come with other beans are known by now, and keep their places. */
	@Override
	public void afterSingletonsInstantiated() {
		this.context.addApplicationListener(new Beginning());
		this.context.addApplicationListener(new End());
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

	void applicationReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			becomeReady();
		}
	}

	/** A context that no SpringApplication runs will hear of nothing later. */
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
			addHook();
		}
	}

	/**
	 * Spring's hook has to find out first who listens to the end of a context, which
	 * takes as long as half of a hand-over, and may have other contexts to close before.
	 */
	private void addHook() {
		if (this.hook == null && this.context.containsLocalBean(APPLICATION_ARGUMENTS)
				&& this.context.getEnvironment().getProperty(REGISTER_SHUTDOWN_HOOK, Boolean.class, true)) {
			Thread added = new Thread(null, this::withdraw, "leader-election-shutdown", 0, false);
			this.hook = this.hooks.add(added) ? added : null;
		}
	}

	/** Otherwise the JVM would keep this context for ever. */
	private synchronized void removeHook() {
		if (this.hook != null) {
			this.hooks.remove(this.hook);
			this.hook = null;
		}
	}

	/** The event of a child context comes here, too, and means nothing. */
	void contextClosed(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			CompletableFuture<Void> withdrawn = withdraw();
			if (handsOver()) {
				awaitShortly(withdrawn);
			}
			removeHook();
		}
	}

	private synchronized CompletableFuture<Void> withdraw() {
		this.running = false;
		this.handsOver |= leads();
		return this.elections.withdraw();
	}

	private synchronized boolean handsOver() {
		return this.handsOver;
	}

	private boolean leads() {
		for (LeaderElector elector : this.elections.electors()) {
			if (elector.isLeader()) {
				return true;
			}
		}
		return false;
	}

	private static void awaitShortly(CompletableFuture<Void> withdrawn) {
		try {
			withdrawn.get(HEAD_START.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			// what is under way is drained while the rest is stopped
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop() {
		synchronized (this) {
			this.running = false;
		}
		this.elections.stop();
		removeHook();
		synchronized (this) {
			this.handsOver = false;
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

	/**
	 * As late as possible: runners have run, and other listeners have heard of it.
	 */
	private final class Beginning implements SmartApplicationListener {

		@Override
		public int getOrder() {
			return LOWEST_PRECEDENCE;
		}

		@Override
		public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
			return ApplicationReadyEvent.class.isAssignableFrom(type)
					|| ContextRefreshedEvent.class.isAssignableFrom(type);
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			if (event instanceof ApplicationReadyEvent ready) {
				applicationReady(ready);
			}
			else if (event instanceof ContextRefreshedEvent refreshed) {
				contextRefreshed(refreshed);
			}
		}

	}

	/**
	 * Stops admitting work before anything else is stopped.
	 */
	private final class End implements ApplicationListener<ContextClosedEvent>, Ordered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			contextClosed(event);
		}

	}

}
