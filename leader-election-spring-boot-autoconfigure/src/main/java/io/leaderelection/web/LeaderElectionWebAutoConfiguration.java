package io.leaderelection.web;

import java.util.List;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * {@link AutoConfiguration Auto-configuration} for tokens and leadership in requests,
 * also for an application that takes part in no election and only receives tokens.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
public final class LeaderElectionWebAutoConfiguration {

	/**
	 * Tokens and leadership in handlers of Spring MVC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass({ DispatcherServlet.class, WebMvcConfigurer.class })
	static class WebMvcConfiguration extends RequestConfiguration {

		/** Before those that take any interface for something of theirs. */
		@Bean
		@Order(0)
		WebMvcConfigurer leaderElectionWebMvcConfigurer(CallerTokens callerTokens,
				ObjectProvider<LeaderElections> leaderElections, ObjectProvider<HandlerElectionResolver> strategies,
				ConfigurableBeanFactory beanFactory) {
			OwnLeadership own = new OwnLeadership(leaderElections, strategies.orderedStream().toList());
			return new WebMvcConfigurer() {

				@Override
				public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
					resolvers.add(new CallerTokenArgumentResolver(callerTokens, beanFactory));
					resolvers.add(new LeadershipArgumentResolver(own));
				}

			};
		}

		@Bean
		ProblemExceptionResolver leaderElectionProblemExceptionResolver(LeaderElectionProblems problems) {
			return new ProblemExceptionResolver(problems);
		}

	}

	/**
	 * Tokens and leadership in handlers of Spring WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(WebFluxConfigurer.class)
	static class WebFluxConfiguration extends RequestConfiguration {

		/** Before those that take any interface for something of theirs. */
		@Bean
		@Order(0)
		WebFluxConfigurer leaderElectionWebFluxConfigurer(CallerTokens callerTokens,
				ObjectProvider<LeaderElections> leaderElections, ObjectProvider<HandlerElectionResolver> strategies,
				ConfigurableBeanFactory beanFactory) {
			OwnLeadership own = new OwnLeadership(leaderElections, strategies.orderedStream().toList());
			return new WebFluxConfigurer() {

				@Override
				public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
					configurer.addCustomResolver(new ReactiveCallerTokenArgumentResolver(callerTokens, beanFactory),
							new ReactiveLeadershipArgumentResolver(own));
				}

			};
		}

		@Bean
		ProblemWebExceptionHandler leaderElectionProblemWebExceptionHandler(LeaderElectionProblems problems) {
			return new ProblemWebExceptionHandler(problems);
		}

	}

	/**
	 * HTTP clients that send the token of the leadership they run under, to hosts that
	 * are listed.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "leader-election.enabled", matchIfMissing = true)
	@ConditionalOnClass({ ClientHttpRequestFactory.class, ClientHttpRequestFactoryBuilder.class })
	@EnableConfigurationProperties(WebLeaderElectionProperties.class)
	@Conditional(OnTokenHosts.class)
	static class ClientConfiguration {

		@Bean
		TokenHosts leaderElectionTokenHosts(WebLeaderElectionProperties properties, Environment environment) {
			return TokenHosts.of(properties.getClient().getTokenHosts(),
					environment.containsProperty(TokenHosts.PROPERTY));
		}

		@Bean
		SentTokens leaderElectionSentTokens(WebLeaderElectionProperties properties, TokenHosts hosts,
				ObjectProvider<StaleTokens> staleTokens) {
			return new SentTokens(properties.getTokenHeader(), hosts, staleTokens);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ RestClient.class, RestClientCustomizer.class })
		static class RestClients {

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
			 * What Spring Boot falls back to in a reactive web application, as a bean
			 * that can be guarded.
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
						return (bean instanceof ClientHttpRequestFactoryBuilder<?> builder)
								? guard(builder, hosts.getObject()) : bean;
					}

				};
			}

			private static ClientHttpRequestFactoryBuilder<ClientHttpRequestFactory> guard(
					ClientHttpRequestFactoryBuilder<?> builder, TokenHosts hosts) {
				return (settings) -> RedirectGuard.<ClientHttpRequestFactory>build(builder.getClass().getName(),
						builder::build, settings,
						(configured, notFollowing) -> new GuardedRequestFactory(hosts, configured, notFollowing));
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class, ClientHttpConnector.class,
				ClientHttpConnectorBuilder.class, Mono.class })
		static class WebClients {

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
						return (bean instanceof ClientHttpConnectorBuilder<?> builder)
								? guard(builder, hosts.getObject()) : bean;
					}

				};
			}

			private static ClientHttpConnectorBuilder<ClientHttpConnector> guard(ClientHttpConnectorBuilder<?> builder,
					TokenHosts hosts) {
				return (settings) -> RedirectGuard.<ClientHttpConnector>build(builder.getClass().getName(),
						builder::build, settings,
						(configured,
								notFollowing) -> (method, uri,
										callback) -> (hosts.contains(uri) ? notFollowing : configured).connect(method,
												uri, callback));
			}

		}

	}

	/**
	 * Without a host to send it to, there is no need to look for a token.
	 */
	static class OnTokenHosts extends OnPropertyListCondition {

		OnTokenHosts() {
			super(TokenHosts.PROPERTY, () -> ConditionMessage.forCondition(TokenHosts.PROPERTY));
		}

	}

}
