package io.leaderelection.autoconfigure;

import java.util.List;

import io.leaderelection.LeaderElections;
import io.leaderelection.actuate.LeaderEndpoint;
import io.leaderelection.actuate.LeaderEndpointWebExtension;
import io.leaderelection.actuate.NodeDescription;
import io.leaderelection.actuate.UnknownFieldFilter;
import io.leaderelection.store.LeaseStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderEndpoint}.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LeaderEndpoint.class)
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaderEndpoint leaderEndpoint(LeaderElections leaderElections, ObjectProvider<LeaderElectionBackend> backend,
			ObjectProvider<LeaseStore> stores) {
		LeaseStore store = stores.getIfUnique();
		String name = BackendChoice.describe(backend, stores);
		return new LeaderEndpoint(leaderElections,
				() -> new NodeDescription.Backend(name, (store != null) ? store.limits() : List.of()));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LeaderEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	LeaderEndpointWebExtension leaderEndpointWebExtension(LeaderEndpoint leaderEndpoint) {
		return new LeaderEndpointWebExtension(leaderEndpoint);
	}

	@Bean
	@ConditionalOnBean(LeaderEndpointWebExtension.class)
	UnknownFieldFilter leaderEndpointUnknownFieldFilter() {
		return new UnknownFieldFilter();
	}

}
