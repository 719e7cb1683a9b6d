package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnly;

import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Steps down first when the context is stopped but not closed: for a pause or a
 * checkpoint. The loss stops the {@link LeaderOnly @LeaderOnly} lifecycle beans.
 * Otherwise the context would stop them and start them again after the restore, on any
 * node. A context that closes starts nothing again and does not wait here.
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
	 * Message listener containers stop in the highest phase as well. A bean that depends
	 * on others stops before them.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory beanFactory = this.context.getBeanFactory();
		for (String guarded : beanFactory.getBeanNamesForAnnotation(LeaderOnly.class)) {
			beanFactory.registerDependentBean(guarded, this.beanName);
		}
	}

	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

	/** {@link ElectionsLifecycle} starts the elections. */
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
