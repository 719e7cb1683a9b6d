package io.leaderelection.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * What was guarded when the application was processed ahead of time. What cannot be seen
 * any more when it runs, as in a native image without the hints for it, would run
 * unguarded.
 *
 * @param methods the guarded methods, with their parameters
 * @param lifecycles the names of the beans that are started and stopped
 */
record GuardedAheadOfTime(Set<String> methods, Set<String> lifecycles) {

	static final String BEAN_NAME = "leaderOnlyGuardedAheadOfTime";

	private static final String REMEDY = "Build the application again, so that it is processed as it is now. In a "
			+ "native image, let the @Bean method declare the class that has the annotation";

	/** Called by what is generated. */
	static void register(ConfigurableListableBeanFactory beanFactory, String[] methods, String[] lifecycles) {
		beanFactory.registerSingleton(BEAN_NAME, new GuardedAheadOfTime(Set.of(methods), Set.of(lifecycles)));
	}

	/**
	 * What is known of the build of a running application.
	 * @return what was guarded; {@code null} if it was not processed
	 */
	static @Nullable GuardedAheadOfTime of(ConfigurableListableBeanFactory beanFactory) {
		return (GuardedAheadOfTime) beanFactory.getSingleton(BEAN_NAME);
	}

	/**
	 * Compares with what is guarded now.
	 * @param presentMethods the methods that are guarded
	 * @param presentLifecycles the beans that are started and stopped
	 * @return a problem for each that is missing
	 */
	List<Problem> missing(Set<String> presentMethods, Set<String> presentLifecycles) {
		List<Problem> problems = new ArrayList<>();
		this.methods.stream()
			.filter((method) -> !presentMethods.contains(method))
			.sorted()
			.forEach((method) -> problems.add(new Problem(
					"%s was @LeaderOnly when the application was processed ahead of time, and nothing guards it now"
						.formatted(method),
					REMEDY)));
		this.lifecycles.stream()
			.filter((bean) -> !presentLifecycles.contains(bean))
			.sorted()
			.forEach((bean) -> problems.add(new Problem(
					("The lifecycle bean '%s' was @LeaderOnly when the application was processed ahead of time, and "
							+ "nothing keeps it from starting now")
						.formatted(bean),
					REMEDY)));
		return problems;
	}

}
