package io.leaderelection.annotation;

import java.util.Optional;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/**
 * Whether the arguments of a {@code @Scheduled} method can be filled in.
 */
final class ScheduledArguments {

	static final String PROPERTY = "leader-election.leader-only.scheduled-arguments";

	private static final String PROCESSOR = TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME;

	private final ConfigurableListableBeanFactory beanFactory;

	ScheduledArguments(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	Optional<Problem> check(Guard guard, boolean calledEveryTime) {
		if (guard.suppliedParameters() < guard.method().getParameterCount()) {
			return Optional.of(Problem.of(guard.method(), "is @Scheduled, but has parameters that cannot be supplied",
					"Leave only FencingToken and Leadership parameters in a @Scheduled method"));
		}
		if (!calledEveryTime) {
			return Optional.of(Problem.of(guard.method(),
					"is @Scheduled and returns a reactive type, and Spring calls such a method only without arguments",
					"Leave the parameters out, and ask the Reactor context for Leadership.class"));
		}
		if (this.beanFactory.containsBeanDefinition(PROCESSOR)
				&& !this.beanFactory.isTypeMatch(PROCESSOR, GuardedScheduling.class)) {
			return Optional.of(
					Problem.of(guard.method(), "is @Scheduled, but has parameters, and nobody supplies them",
							("Set %s=true, and define no ScheduledAnnotationBeanPostProcessor of your own. "
									+ "Or leave the parameters out, and ask Leadership.current()")
								.formatted(PROPERTY)));
		}
		return Optional.empty();
	}

}
