package io.leaderelection.autoconfigure;

import io.leaderelection.actuate.HealthWatchConfiguration;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Configuration;

/**
 * Refuses to follow health in an application that has none.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(HealthWatchConfiguration.PROPERTY)
@ConditionalOnMissingBean(type = "io.leaderelection.actuate.HealthWatch")
class UnknownHealthConfiguration {

	UnknownHealthConfiguration() {
		throw new InvalidConfigurationPropertyValueException(HealthWatchConfiguration.PROPERTY, true,
				"There is no health to follow. Add spring-boot-starter-actuator to the application.");
	}

}
