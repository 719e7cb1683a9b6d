package io.leaderelection.autoconfigure;

import io.leaderelection.annotation.LeaderOnlyConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for
 * {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly}. Also without elections:
 * what nobody guards must not run in silence.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@Import({ LeaderOnlyConfiguration.class, UnguardedConfiguration.class })
public final class LeaderOnlyAutoConfiguration {

}
