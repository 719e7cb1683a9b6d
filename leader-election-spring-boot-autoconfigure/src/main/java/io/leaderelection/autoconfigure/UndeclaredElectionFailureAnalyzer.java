package io.leaderelection.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Explains that a {@link LeaderElector} is injected whose election is not declared.
 */
class UndeclaredElectionFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException>
		implements Ordered {

	private final BeanFactory beanFactory;

	UndeclaredElectionFailureAnalyzer(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** The analyzer of Spring Boot explains any missing bean. */
	@Override
	public int getOrder() {
		return -1;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		UnsatisfiedDependencyException dependency = findCause(rootFailure, UnsatisfiedDependencyException.class);
		if (cause instanceof NoUniqueBeanDefinitionException || dependency == null || cause.getResolvableType() == null
				|| cause.getResolvableType().resolve() != LeaderElector.class) {
			return null;
		}
		String election = election(dependency);
		if (!(this.beanFactory instanceof ListableBeanFactory beans) || election == null) {
			return null;
		}
		String where = "The bean '%s' requires the LeaderElector of the election '%s'"
			.formatted(dependency.getBeanName(), election);
		if (beans.getBeanNamesForType(LeaderElections.class, true, false).length == 0) {
			return new FailureAnalysis("%s, but leader election is not enabled.".formatted(where),
					"Set leader-election.enabled=true, or inject ObjectProvider<LeaderElector>.", cause);
		}
		String property = PropertySettings.prefix(election);
		return new FailureAnalysis("%s, which is not declared. Declared elections: %s."
			.formatted(where, declared(beans)), """
					Declare the election, with its own lease duration or with none:

						%s=

					Or correct the name in @Qualifier. An election that a @LeaderOnly annotation names by text or by \
					placeholder needs no declaration.""".formatted(property.substring(0, property.length() - 1)),
				cause);
	}

	/** The failed injection is the innermost one. */
	private static @Nullable String election(UnsatisfiedDependencyException outermost) {
		String election = null;
		for (Throwable failure = outermost; failure != null; failure = failure.getCause()) {
			InjectionPoint point = (failure instanceof UnsatisfiedDependencyException dependency)
					? dependency.getInjectionPoint() : null;
			Qualifier qualifier = (point != null) ? point.getAnnotation(Qualifier.class) : null;
			election = (qualifier != null) ? qualifier.value() : null;
			if (failure.getCause() instanceof NoSuchBeanDefinitionException) {
				return election;
			}
		}
		return election;
	}

	private static String declared(ListableBeanFactory beans) {
		List<String> names = Arrays.stream(beans.getBeanNamesForType(LeaderElector.class, true, false))
			.map((name) -> name.endsWith(LeaderElectorRegistrar.BEAN_NAME_SUFFIX)
					? name.substring(0, name.length() - LeaderElectorRegistrar.BEAN_NAME_SUFFIX.length()) : name)
			.sorted()
			.toList();
		return names.isEmpty() ? "none" : names.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
	}

}
