package io.leaderelection.annotation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaderelection.LeaderElector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.event.ContextStartedEvent;

/**
 * The {@link LeaderOnly} lifecycle beans of the application, by election.
 */
class LeaderLifecycles implements ApplicationListener<ContextStartedEvent> {

	/** That of Spring Boot. */
	private static final Duration DEFAULT_STOP_TIMEOUT = Duration.ofSeconds(30);

	private final LeaderOnlyBeanPostProcessor guarding;

	private final ConfigurableApplicationContext context;

	private final ConfigurableListableBeanFactory beanFactory;

	private final Map<String, ElectionName> elections = new LinkedHashMap<>();

	private final List<LeaderLifecycleGroup> groups = new ArrayList<>();

	LeaderLifecycles(LeaderOnlyBeanPostProcessor guarding, ConfigurableApplicationContext context) {
		this.guarding = guarding;
		this.context = context;
		this.beanFactory = context.getBeanFactory();
	}

	/** Takes note of a bean, if it is one to be started and stopped. */
	void add(String beanName, Class<?> type, Collection<Problem> problems) {
		LeaderOnly annotation = LeaderLifecycle.find(beanName, type, this.beanFactory);
		if (annotation == null) {
			if (!Lifecycle.class.isAssignableFrom(type)
					&& LeaderLifecycle.findOnFactoryMethod(beanName, this.beanFactory) != null) {
				problems.add(new Problem(
						"The @Bean method of '%s' is @LeaderOnly, but what it makes, %s, is no Lifecycle that could be started and stopped"
							.formatted(beanName, type.getName()),
						"Annotate the class of the bean or its methods. Beans themselves are made on every node"));
			}
			return;
		}
		if (!this.beanFactory.isSingleton(beanName)) {
			problems.add(new Problem("The @LeaderOnly lifecycle bean '%s' is no singleton".formatted(beanName),
					"Make it a singleton"));
			return;
		}
		ElectionName election = this.guarding.guards().reader().election(annotation, null, problems);
		if (election != null) {
			this.elections.put(beanName, election);
			settle(beanName, election, problems);
		}
	}

	private @Nullable LeaderElector settle(String beanName, ElectionName election, Collection<Problem> problems) {
		try {
			return election.elector(this.guarding.guards().reader().electors(), null);
		}
		catch (LeaderOnlyMisuseException ex) {
			ex.problems()
				.forEach((problem) -> problems
					.add(new Problem("The bean '%s': %s".formatted(beanName, problem.what()), problem.remedy())));
		}
		catch (IllegalArgumentException ex) {
			problems.add(new Problem("The bean '%s': %s".formatted(beanName, ex.getMessage()),
					"Correct the name of the election"));
		}
		return null;
	}

	/** The beans that are started and stopped. */
	Set<String> names() {
		return this.elections.keySet();
	}

	/** Starts and stops the beans from now on. */
	void follow() {
		if (this.elections.isEmpty()) {
			return;
		}
		Duration stopTimeout = Binder.get(this.context.getEnvironment())
			.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
			.orElse(DEFAULT_STOP_TIMEOUT);
		Map<LeaderElector, Map<String, Lifecycle>> beans = new LinkedHashMap<>();
		this.elections.forEach((beanName, election) -> {
			LeaderElector elector = election.elector(this.guarding.guards().reader().electors(), null);
			beans.computeIfAbsent(elector, (key) -> new LinkedHashMap<>())
				.put(beanName, this.beanFactory.getBean(beanName, Lifecycle.class));
		});
		beans.forEach((elector, members) -> {
			LeaderLifecycleGroup group = new LeaderLifecycleGroup(elector, members, stopTimeout);
			this.groups.add(group);
			elector.addListener(group);
		});
		this.context.addApplicationListener(this);
	}

	/** An explicit start of the context starts everything, whether it wants to or not. */
	@Override
	public void onApplicationEvent(ContextStartedEvent event) {
		this.groups.forEach(LeaderLifecycleGroup::contextStarted);
	}

}
