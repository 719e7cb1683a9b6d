package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.integration.IntegrationConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.integration.leader.event.OnGrantedEvent;

/**
 * {@link AutoConfiguration Auto-configuration} for the leadership events and roles of
 * Spring Integration.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(OnGrantedEvent.class)
@ConditionalOnBooleanProperty(name = "leader-election.integration.enabled", matchIfMissing = true)
@ConditionalOnBean(LeaderElections.class)
@Import(IntegrationConfiguration.class)
public final class LeaderElectionIntegrationAutoConfiguration {

}
