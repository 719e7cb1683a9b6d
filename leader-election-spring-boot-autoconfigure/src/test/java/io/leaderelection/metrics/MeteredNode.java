package io.leaderelection.metrics;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.memory.InMemoryLeaseStore;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node as it is operated: a Boot application on Tomcat that Prometheus can scrape, and
 * whose renewals can be troubled.
 */
final class MeteredNode implements AutoCloseable {

	static final Duration SOON = Duration.ofSeconds(20);

	private final HttpClient client = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private volatile Renewals renewals = Renewals.PASS;

	MeteredNode(String nodeId, InMemoryLeaseStore leases) {
		this.context = new SpringApplicationBuilder(Application.class)
			.initializers((context) -> context.getBeanFactory().registerSingleton("troubledStore", troubled(leases)))
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.properties("server.port=0", "leader-election.node-id=" + nodeId, "leader-election.lease-duration=60s",
					"leader-election.elections.reports=", "leader-election.elections.mails=",
					"management.endpoints.web.exposure.include=prometheus", "spring.docker.compose.enabled=false")
			.run();
	}

	private LeaseStore troubled(LeaseStore store) {
		return (LeaseStore) Proxy.newProxyInstance(LeaseStore.class.getClassLoader(),
				new Class<?>[] { LeaseStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("renew")) {
						switch (this.renewals) {
							case FAIL -> throw new LeaseStoreException("connection refused");
							case LOSE -> {
								return ((List<?>) arguments[0]).stream()
									.map((renewal) -> new RenewResult.Lost())
									.toList();
							}
							case PASS -> {
							}
						}
					}
					try {
						return method.invoke(store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	void renewals(Renewals renewals) {
		this.renewals = renewals;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	LeaderElector elector(String election) {
		return bean(LeaderElections.class).elector(election);
	}

	List<Sample> scrape() {
		return Sample.in(scraped());
	}

	String scraped() {
		String port = this.context.getEnvironment().getProperty("local.server.port");
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:%s/actuator/prometheus".formatted(port)))
			.build();
		try {
			HttpResponse<String> response = this.client.send(request, BodyHandlers.ofString());
			assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
			return response.body();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	double value(String name, String... labels) {
		Map<String, String> wanted = (labels.length == 2) ? Map.of(labels[0], labels[1])
				: Map.of(labels[0], labels[1], labels[2], labels[3]);
		List<Sample> found = scrape().stream()
			.filter((sample) -> sample.name().equals(name) && sample.has(wanted))
			.toList();
		assertThat(found).as("%s %s", name, wanted).hasSize(1);
		return found.get(0).value();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * What becomes of renewals.
	 */
	enum Renewals {

		PASS, FAIL, LOSE

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Jobs jobs() {
			return new Jobs();
		}

	}

	/**
	 * Work of the application.
	 */
	static class Jobs {

		@LeaderOnly("reports")
		void publish() {
		}

		@LeaderOnly("reports")
		int count() {
			return 1;
		}

		@LeaderOnly("reports")
		void fail() {
			throw new IllegalStateException("on purpose");
		}

		@LeaderOnly("mails")
		void during(Runnable work) {
			work.run();
		}

	}

}
