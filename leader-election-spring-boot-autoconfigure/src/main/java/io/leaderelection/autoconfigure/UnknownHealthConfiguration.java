package io.leaderelection.autoconfigure;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Configuration;

/**
 * Refuses to follow health in an application that has none.
 */
@Configuration(proxyBeanMethods = false)
class UnknownHealthConfiguration {

	UnknownHealthConfiguration() {
		throw new InvalidConfigurationPropertyValueException(HealthWatchImports.STEP_DOWN, true,
				"There is no health to follow. Add spring-boot-starter-actuator to the application.");
	}

}
