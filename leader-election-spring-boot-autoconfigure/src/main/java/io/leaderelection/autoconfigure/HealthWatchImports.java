package io.leaderelection.autoconfigure;

import java.util.List;

import io.leaderelection.actuate.HealthWatchConfiguration;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Names what follows health, if it is to be followed, or what says that there is none.
 */
class HealthWatchImports implements ImportSelector {

	static final String STEP_DOWN = "leader-election.step-down-when-unhealthy";

	private static final List<String> HEALTH = List.of("org.springframework.boot.actuate.endpoint.annotation.Endpoint",
			"org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups");

	private final Environment environment;

	private final ClassLoader classLoader;

	HealthWatchImports(Environment environment, ClassLoader classLoader) {
		this.environment = environment;
		this.classLoader = classLoader;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importing) {
		if (!this.environment.getProperty(STEP_DOWN, Boolean.class, false)) {
			return new String[0];
		}
		boolean known = HEALTH.stream().allMatch((type) -> ClassUtils.isPresent(type, this.classLoader));
		return new String[] { (known ? HealthWatchConfiguration.class : UnknownHealthConfiguration.class).getName() };
	}

}
