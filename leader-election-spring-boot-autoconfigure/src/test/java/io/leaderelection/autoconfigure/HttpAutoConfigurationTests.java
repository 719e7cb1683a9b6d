package io.leaderelection.autoconfigure;

import java.net.URI;
import java.time.Duration;

import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.InMemoryFence;
import io.leaderelection.web.CallerTokens;
import io.leaderelection.web.LeaderElectionProblems;
import io.leaderelection.web.LeaderElectionWebAutoConfiguration;
import io.leaderelection.web.RetryAfter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * When there is what for HTTP.
 */
@ExtendWith(OutputCaptureExtension.class)
class HttpAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations
		.of(LeaderElectionAutoConfiguration.class, LeaderElectionWebAutoConfiguration.class);

	private static final String[] PROPERTIES = { "leader-election.backend=local",
			"leader-election.auto-startup=false" };

	private final ApplicationContextRunner noWeb = new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
		.withPropertyValues(PROPERTIES);

	private final WebApplicationContextRunner mvc = new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
		.withPropertyValues(PROPERTIES);

	private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS)
		.withPropertyValues(PROPERTIES);

	private final ApplicationContextRunner clients = this.noWeb
		.withPropertyValues("leader-election.web.client.token-hosts=api.internal");

	@Test
	void anApplicationWithoutWebHasNeither() {
		this.noWeb.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(CallerTokens.class)
			.doesNotHaveBean(WebMvcConfigurer.class)
			.doesNotHaveBean(WebFluxConfigurer.class));
	}

	@Test
	void aServletApplicationHasMvc() {
		this.mvc.run((context) -> assertThat(context).hasSingleBean(CallerTokens.class)
			.hasSingleBean(LeaderElectionProblems.class)
			.hasSingleBean(HandlerExceptionResolver.class)
			.hasSingleBean(WebMvcConfigurer.class)
			.doesNotHaveBean(WebFluxConfigurer.class)
			.doesNotHaveBean(WebExceptionHandler.class));
	}

	@Test
	void aReactiveApplicationHasWebFlux() {
		this.webFlux.run((context) -> assertThat(context).hasSingleBean(CallerTokens.class)
			.hasSingleBean(LeaderElectionProblems.class)
			.hasSingleBean(WebExceptionHandler.class)
			.hasSingleBean(WebFluxConfigurer.class)
			.doesNotHaveBean(WebMvcConfigurer.class)
			.doesNotHaveBean(HandlerExceptionResolver.class));
	}

	@Test
	void aServletApplicationWithoutMvcHasNone() {
		this.mvc.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallerTokens.class));
	}

	@Test
	void aReactiveApplicationWithoutWebFluxHasNone() {
		this.webFlux.withClassLoader(new FilteredClassLoader(WebFluxConfigurer.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallerTokens.class));
	}

	@Test
	void anApplicationThatTakesPartInNoElectionReceivesTokens() {
		this.mvc.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(CallerTokens.class));
		this.webFlux.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(CallerTokens.class));
	}

	@Test
	void theFenceOfRequestsIsNotInjectedByType() {
		this.mvc.withUserConfiguration(WhoeverHasAFence.class).run((context) -> {
			assertThat(context.getBean(CallerTokens.FENCE_BEAN_NAME)).isInstanceOf(InMemoryFence.class);
			assertThat(context.getBean(WhoeverHasAFence.class).fence.getIfAvailable()).isNull();
		});
	}

	@Test
	void theFenceOfRequestsGivesWay() {
		this.mvc.withUserConfiguration(OwnFence.class)
			.run((context) -> assertThat(context.getBean(CallerTokens.FENCE_BEAN_NAME)).isSameAs(OwnFence.FENCE));
	}

	@Test
	void aFenceOfAnotherNameIsNotAskedForRequests() {
		this.mvc.withUserConfiguration(OtherFence.class, WhoeverHasAFence.class).run((context) -> {
			assertThat(context.getBean(CallerTokens.FENCE_BEAN_NAME)).isInstanceOf(InMemoryFence.class);
			assertThat(context.getBean(WhoeverHasAFence.class).fence.getObject())
				.isSameAs(context.getBean("otherFence"));
		});
	}

	@ParameterizedTest
	@CsvSource({ "PT3S, leader-election.lease-duration=9s", "PT2S, leader-election.elections.reports.renew-interval=2s",
			"PT7S, leader-election.web.retry-after=7s" })
	void callersWaitForARenewalUnlessConfigured(Duration expected, String property) {
		this.mvc.withPropertyValues(property, "leader-election.elections.reports.drain-timeout=1s")
			.run((context) -> assertThat(context.getBean(RetryAfter.class).delay("reports")).isEqualTo(expected));
	}

	@Test
	void theWaitGivesWay() {
		this.mvc.withUserConfiguration(OwnRetryAfter.class)
			.run((context) -> assertThat(context.getBean(RetryAfter.class).delay("reports"))
				.isEqualTo(Duration.ofHours(1)));
	}

	@ParameterizedTest
	@CsvSource({ "leader-election.web.retry-after, 0s", "leader-election.web.retry-after, -1s",
			"leader-election.web.token-header, Fencing Token", "leader-election.web.token-header, ''" })
	void whatCannotWorkIsRefused(String property, String value) {
		this.mvc.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(refusal) -> assertThat(refusal.getName()).isEqualTo(property)));
	}

	@Test
	void withoutAHostThereIsNothingToSend() {
		this.noWeb.run((context) -> assertThat(context).doesNotHaveBean(RestClientCustomizer.class)
			.doesNotHaveBean(RestTemplateCustomizer.class)
			.doesNotHaveBean(WebClientCustomizer.class)
			.doesNotHaveBean(ClientHttpRequestFactoryBuilder.class));
	}

	@Test
	void withAHostAllClientsSend() {
		this.clients.run((context) -> assertThat(context).hasSingleBean(RestClientCustomizer.class)
			.hasSingleBean(RestTemplateCustomizer.class)
			.hasSingleBean(WebClientCustomizer.class));
	}

	@Test
	void withoutLeaderElectionNobodySends() {
		this.clients.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RestClientCustomizer.class)
				.doesNotHaveBean(WebClientCustomizer.class));
	}

	@Test
	void aClientThatIsMissingIsNotMissed() {
		this.clients.withClassLoader(new FilteredClassLoader(RestClientCustomizer.class, RestTemplateCustomizer.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WebClientCustomizer.class));
		this.clients.withClassLoader(new FilteredClassLoader(WebClientCustomizer.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RestClientCustomizer.class));
		this.clients.withClassLoader(new FilteredClassLoader("org.springframework.http", "reactor"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({
			"leader-election.web.client.token-hosts, leader-election.web.client.token-hosts=api.internal;http://api.internal",
			"leader-election.web.client.token-hosts[0], leader-election.web.client.token-hosts[0]=http://api.internal",
			"leader-election.web.client.token-hosts[0], leader-election.web.client.tokenHosts[0]=http://api.internal" })
	void aHostThatIsNoneFailsTheStart(String property, String setting, CapturedOutput output) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(Clients.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--leader-election.backend=local", "--" + setting.replace(';', ',')));
		assertThat(output).contains("APPLICATION FAILED TO START",
				"for configuration property '%s'".formatted(property),
				"It must be a host alone, without scheme or path");
	}

	@Test
	void aClientThatDoesNotFollowAnywayIsLeftAlone() {
		this.clients
			.withConfiguration(AutoConfigurations.of(HttpClientAutoConfiguration.class,
					ImperativeHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class))
			.withPropertyValues("spring.http.clients.imperative.factory=jdk")
			.run((context) -> {
				ClientHttpRequestFactoryBuilder<?> builder = context.getBean(ClientHttpRequestFactoryBuilder.class);
				HttpClientSettings settings = HttpClientSettings.defaults();
				assertThat((ClientHttpRequestFactory) builder.build(settings.withRedirects(HttpRedirects.DONT_FOLLOW)))
					.isInstanceOf(JdkClientHttpRequestFactory.class);
				assertThat((ClientHttpRequestFactory) builder.build(settings))
					.isNotInstanceOf(JdkClientHttpRequestFactory.class);
			});
	}

	@Test
	void redirectsAreGuardedInAReactiveApplicationToo() {
		this.webFlux
			.withConfiguration(AutoConfigurations.of(HttpClientAutoConfiguration.class,
					ImperativeHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class))
			.withPropertyValues("leader-election.web.client.token-hosts=api.internal")
			.run((context) -> assertThat(context).hasSingleBean(RestClient.Builder.class)
				.hasBean("leaderElectionRequestFactoryBuilder"));
	}

	@Test
	void aClientThatCannotBeKeptFromFollowingFailsTheStart() {
		this.clients
			.withConfiguration(AutoConfigurations.of(HttpClientAutoConfiguration.class,
					ImperativeHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class))
			.withUserConfiguration(Stubborn.class)
			.run((context) -> assertThat(catchBuild(context.getBean(ClientHttpRequestFactoryBuilder.class)))
				.hasMessageContaining("cannot be told not to follow redirects")
				.hasMessageContaining("leader-election.web.client.token-hosts"));
	}

	private static Throwable catchBuild(ClientHttpRequestFactoryBuilder<?> builder) {
		try {
			return new AssertionError("built " + builder.build());
		}
		catch (IllegalStateException ex) {
			return ex;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderElectionWebAutoConfiguration.class })
	static class Clients {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnFence {

		static final Fence FENCE = (token) -> {
		};

		@Bean
		Fence requestFence() {
			return FENCE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherFence {

		@Bean
		Fence otherFence() {
			return (token) -> {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WhoeverHasAFence {

		private final ObjectProvider<Fence> fence;

		WhoeverHasAFence(ObjectProvider<Fence> fence) {
			this.fence = fence;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnRetryAfter {

		@Bean
		RetryAfter retryAfter() {
			return (election) -> Duration.ofHours(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Stubborn {

		@Bean
		ClientHttpRequestFactoryBuilder<?> stubborn() {
			return ClientHttpRequestFactoryBuilder.of(FollowsAlways::new);
		}

	}

	static class FollowsAlways implements ClientHttpRequestFactory {

		@Override
		public ClientHttpRequest createRequest(URI uri, HttpMethod method) {
			throw new UnsupportedOperationException();
		}

	}

}
