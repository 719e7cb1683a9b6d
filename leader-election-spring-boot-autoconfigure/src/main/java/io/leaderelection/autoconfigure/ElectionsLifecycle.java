package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

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
 * Starts the elections when the application is ready. Begins to step down as soon as the
 * context closes, before the web server and the schedulers stop, and waits for the
 * release, or for the drain timeout, before the clients of the stores are closed.
 */
class ElectionsLifecycle implements SmartLifecycle, SmartInitializingSingleton {

	/**
	 * Between the task executors, which stop first, and the connection factories.
	 */
	static final int PHASE = Integer.MAX_VALUE / 4;

	private static final String APPLICATION_ARGUMENTS = "springApplicationArguments";

	private static final Log logger = LogFactory.getLog(ElectionsLifecycle.class);

	private final LeaderElections elections;

	private final ConfigurableApplicationContext context;

	private final String store;

	private final boolean autoStartup;

	private boolean running;

	private boolean ready;

	private boolean stands;

	ElectionsLifecycle(LeaderElections elections, ConfigurableApplicationContext context, String store,
			boolean autoStartup) {
		this.elections = elections;
		this.context = context;
		this.store = store;
		this.autoStartup = autoStartup;
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
		}
	}

	/** The event of a child context comes here, too, and means nothing. */
	void contextClosed(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			synchronized (this) {
				this.running = false;
			}
			this.elections.withdraw();
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
