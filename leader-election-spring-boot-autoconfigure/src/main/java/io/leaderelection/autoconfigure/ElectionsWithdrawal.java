package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;

import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/**
 * Gives leadership up before anything else is stopped, when the context is stopped but
 * not closed: for a pause, or a checkpoint. What runs on the leader alone has then been
 * stopped by the loss. Otherwise the context would stop it, take it for something that
 * runs on every node, and start it when it goes on, wherever leadership is by then.
 *
 * <p>
 * A context that is closed does not wait here, since nothing of it will be started again.
 */
class ElectionsWithdrawal implements SmartLifecycle, SmartInitializingSingleton, BeanNameAware {

	private final LeaderElections elections;

	private final ConfigurableApplicationContext context;

	private String beanName = "leaderElectionsWithdrawal";

	ElectionsWithdrawal(LeaderElections elections, ConfigurableApplicationContext context) {
		this.elections = elections;
		this.context = context;
	}

	@Override
	public void setBeanName(String beanName) {
		this.beanName = beanName;
	}

	/**
	 * There is no phase above the highest, in which message listeners are stopped. Who
	 * depends on others is stopped before them.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory beanFactory = this.context.getBeanFactory();
		for (String other : beanFactory.getBeanNamesForType(SmartLifecycle.class, false, false)) {
			if (!other.equals(this.beanName) && beanFactory.containsSingleton(other)
					&& beanFactory.getSingleton(other) instanceof Phased phased && phased.getPhase() == getPhase()) {
				beanFactory.registerDependentBean(other, this.beanName);
			}
		}
	}

	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

	/** When to stand is for {@link ElectionsLifecycle} to know. */
	@Override
	public void start() {
	}

	@Override
	public void stop() {
		this.elections.stop();
	}

	@Override
	public boolean isRunning() {
		return this.elections.isRunning() && !this.context.isClosed();
	}

}
