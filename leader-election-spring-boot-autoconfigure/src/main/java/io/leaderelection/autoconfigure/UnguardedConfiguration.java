package io.leaderelection.autoconfigure;

import io.leaderelection.annotation.LeaderOnlyConfiguration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Configuration;

/**
 * Says that {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly} is switched off.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = LeaderOnlyConfiguration.ENABLED, havingValue = false)
class UnguardedConfiguration {

	private static final Log logger = LogFactory.getLog(LeaderOnlyAutoConfiguration.class);

	UnguardedConfiguration() {
		logger.warn(LeaderOnlyConfiguration.ENABLED + " is false: methods with @LeaderOnly run on every node");
	}

}
