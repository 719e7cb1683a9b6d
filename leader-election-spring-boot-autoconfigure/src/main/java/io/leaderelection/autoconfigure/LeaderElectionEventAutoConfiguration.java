package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.event.LeadershipEventConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for changes of leadership as application
 * events.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBean(LeaderElections.class)
@Import(LeadershipEventConfiguration.class)
public final class LeaderElectionEventAutoConfiguration {

}
