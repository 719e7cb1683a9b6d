package io.leaderelection.web.client;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Tokens in the requests of {@code WebClient}.
 */
@Configuration(proxyBeanMethods = false)
@Import(SentTokensConfiguration.class)
public class WebClientTokenConfiguration {

	/** Comes last, to see the address that other filters have left. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	WebClientCustomizer leaderElectionWebClientCustomizer(SentTokens sentTokens) {
		return (builder) -> builder.filter(new TokenExchangeFilter(sentTokens));
	}

	@Bean
	static BeanPostProcessor leaderElectionConnectorGuard(ObjectProvider<TokenHosts> hosts) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof ClientHttpConnectorBuilder<?> builder) ? guard(builder, hosts.getObject())
						: bean;
			}

		};
	}

	private static ClientHttpConnectorBuilder<ClientHttpConnector> guard(ClientHttpConnectorBuilder<?> builder,
			TokenHosts hosts) {
		return (settings) -> RedirectGuard.<ClientHttpConnector>build(builder.getClass().getName(), builder::build,
				settings, (configured, notFollowing) -> (method, uri,
						callback) -> (hosts.contains(uri) ? notFollowing : configured).connect(method, uri, callback));
	}

}
