package io.leaderelection.web.client;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ResourceLoader;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Tokens in the requests of {@code RestClient} and {@code RestTemplate}.
 */
@Configuration(proxyBeanMethods = false)
@Import(SentTokensConfiguration.class)
public class RestClientTokenConfiguration {

	/** Comes last, to see the address that other interceptors have left. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	RestClientCustomizer leaderElectionRestClientCustomizer(SentTokens sentTokens) {
		return (builder) -> builder.requestInterceptor(new TokenInterceptor(sentTokens));
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	RestTemplateCustomizer leaderElectionRestTemplateCustomizer(SentTokens sentTokens) {
		return (template) -> template.getInterceptors().add(new TokenInterceptor(sentTokens));
	}

	/**
	 * What Spring Boot falls back to in a reactive web application, as a bean that can be
	 * guarded.
	 */
	@Bean
	@ConditionalOnMissingBean
	ClientHttpRequestFactoryBuilder<?> leaderElectionRequestFactoryBuilder(ResourceLoader resourceLoader) {
		return ClientHttpRequestFactoryBuilder.detect(resourceLoader.getClassLoader());
	}

	@Bean
	static BeanPostProcessor leaderElectionRequestFactoryGuard(ObjectProvider<TokenHosts> hosts) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof ClientHttpRequestFactoryBuilder<?> builder) ? guard(builder, hosts.getObject())
						: bean;
			}

		};
	}

	private static ClientHttpRequestFactoryBuilder<ClientHttpRequestFactory> guard(
			ClientHttpRequestFactoryBuilder<?> builder, TokenHosts hosts) {
		return (settings) -> RedirectGuard.<ClientHttpRequestFactory>build(builder.getClass().getName(), builder::build,
				settings, (configured, notFollowing) -> new GuardedRequestFactory(hosts, configured, notFollowing));
	}

}
