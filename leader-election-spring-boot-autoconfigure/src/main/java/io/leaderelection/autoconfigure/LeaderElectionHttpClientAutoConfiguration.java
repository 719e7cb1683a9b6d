package io.leaderelection.autoconfigure;

import io.leaderelection.web.client.RestClientTokenConfiguration;
import io.leaderelection.web.client.WebClientTokenConfiguration;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link AutoConfiguration Auto-configuration} for HTTP clients that send the token of
 * the leadership they run under, to hosts that are listed.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "leader-election.enabled", matchIfMissing = true)
@ConditionalOnClass(ClientHttpRequestFactoryBuilder.class)
@Conditional(LeaderElectionHttpClientAutoConfiguration.OnTokenHosts.class)
public final class LeaderElectionHttpClientAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RestClient.class, RestClientCustomizer.class })
	@Import(RestClientTokenConfiguration.class)
	static class RestClients {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class, ClientHttpConnector.class,
			ClientHttpConnectorBuilder.class, Mono.class })
	@Import(WebClientTokenConfiguration.class)
	static class WebClients {

	}

	/**
	 * Without a host to send it to, there is no need to look for a token.
	 */
	static class OnTokenHosts extends OnPropertyListCondition {

		private static final String PROPERTY = "leader-election.http.token-hosts";

		OnTokenHosts() {
			super(PROPERTY, () -> ConditionMessage.forCondition(PROPERTY));
		}

	}

}
