package io.leaderelection.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.annotation.Configuration;

/**
 * Says that {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly} is switched off.
 */
@Configuration(proxyBeanMethods = false)
class UnguardedConfiguration {

	private static final Log logger = LogFactory.getLog(LeaderOnlyAutoConfiguration.class);

	UnguardedConfiguration() {
		logger.warn(LeaderOnlyImports.ENABLED + " is false: methods with @LeaderOnly run on every node");
	}

}
