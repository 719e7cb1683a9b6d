package io.leaderelection.actuate;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.autoconfigure.LeaseStoreCustomizer;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ReflectionUtils;

/**
 * The node {@code node-a}: a whole application, and what one can ask it over HTTP. Its
 * store can be told not to answer.
 */
final class EndpointNode implements AutoCloseable {

	/** Longer than any test waits: nothing here is about leases that end. */
	static final Duration LEASE = Duration.ofSeconds(60);

	/** Enough for whatever happens at once, and no more than a test should wait. */
	static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final String PATH = "/actuator/leader";

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext application;

	private EndpointNode(ConfigurableApplicationContext application) {
		this.application = application;
	}

	static EndpointNode withoutSecurity(WebApplicationType type, String... properties) {
		return new EndpointNode(builder(type, properties)
			.resourceLoader(new DefaultResourceLoader(new FilteredClassLoader("org.springframework.security")))
			.run());
	}

	static EndpointNode withSecurity(WebApplicationType type, List<Class<?>> sources, String... properties) {
		return new EndpointNode(builder(type, properties).properties("spring.autoconfigure.exclude=")
			.sources(sources.toArray(Class[]::new))
			.run("--spring.autoconfigure.exclude="));
	}

	/** With nothing but what an application gets from auto-configuration. */
	static EndpointNode autoConfigured(List<Class<?>> sources, String... properties) {
		return new EndpointNode(builder(AutoConfigured.class, WebApplicationType.SERVLET, properties)
			.properties("leader-election.backend=local")
			.sources(sources.toArray(Class[]::new))
			.run("--spring.autoconfigure.exclude="));
	}

	private static SpringApplicationBuilder builder(WebApplicationType type, String... properties) {
		return builder(Application.class, type, properties);
	}

	private static SpringApplicationBuilder builder(Class<?> application, WebApplicationType type,
			String... properties) {
		return new SpringApplicationBuilder(application).web(type)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.properties("server.port=0", "leader-election.node-id=node-a",
					"leader-election.lease-duration=%ss".formatted(LEASE.toSeconds()),
					"leader-election.elections.reports=", "management.endpoints.web.exposure.include=leader",
					"spring.docker.compose.enabled=false", "spring.reactor.netty.shutdown-quiet-period=0s")
			.properties(properties);
	}

	LeaseStore store() {
		return this.application.getBean(LeaseStore.class);
	}

	LeaderElector elector(String election) {
		return this.application.getBean(LeaderElections.class).elector(election);
	}

	/** Lets the store not tell who stands by for an election, for ever. */
	void silence(String election) {
		this.application.getBean(Application.class).silent.add(election);
	}

	Answer get(String path) {
		return send(request(path).GET());
	}

	Answer post(String path, String body) {
		return send(request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	/**
	 * What one user can ask for.
	 * @param name who
	 * @return as this, with credentials
	 */
	As as(String name) {
		return new As(Base64.getEncoder().encodeToString("%s:secret".formatted(name).getBytes()));
	}

	/** The status of a read of any path; without credentials if there is no user. */
	int statusOf(String path, @Nullable String user) {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://localhost:%s%s".formatted(port(), path)));
		if (user != null) {
			request.header("Authorization", as(user).authorization());
		}
		return send(request.GET()).status();
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:%s%s%s".formatted(port(), PATH, path)));
	}

	String port() {
		return this.application.getEnvironment().getRequiredProperty("local.server.port");
	}

	private static Answer send(HttpRequest.Builder request) {
		HttpResponse<String> response = CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).join();
		return new Answer(response.statusCode(), response.body().startsWith("{")
				? JsonParserFactory.getJsonParser().parseMap(response.body()) : Map.of());
	}

	@Override
	public void close() {
		this.application.close();
	}

	/**
	 * A user's requests.
	 */
	final class As {

		private final String credentials;

		private As(String credentials) {
			this.credentials = credentials;
		}

		String authorization() {
			return "Basic " + this.credentials;
		}

		Answer get(String path) {
			return send(request(path).GET().header("Authorization", authorization()));
		}

		Answer post(String path, String body) {
			return post(path, body, "application/json");
		}

		Answer post(String path, String body, String contentType) {
			return send(request(path).header("Authorization", authorization())
				.header("Content-Type", contentType)
				.POST(HttpRequest.BodyPublishers.ofString(body)));
		}

	}

	/**
	 * An answer.
	 *
	 * @param status the HTTP status
	 * @param body the JSON object in it; empty if there is none
	 */
	record Answer(int status, Map<String, Object> body) {

		@SuppressWarnings("unchecked")
		Map<String, Object> at(String... path) {
			Map<String, Object> found = this.body;
			for (String key : path) {
				found = (Map<String, Object>) found.get(key);
			}
			return found;
		}

		String detail() {
			return (String) this.body.get("detail");
		}

		@SuppressWarnings("unchecked")
		List<String> allowed() {
			return (List<String>) this.body.get("allowed");
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private final Set<String> silent = ConcurrentHashMap.newKeySet();

		@Bean
		LeaseStore store() {
			return new InMemoryLeaseStore();
		}

		@Bean
		LeaseStoreCustomizer silence() {
			return (store) -> (LeaseStore) Proxy.newProxyInstance(LeaseStore.class.getClassLoader(),
					new Class<?>[] { LeaseStore.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("read") && this.silent.contains(arguments[0])) {
							throw new LeaseStoreException("The line is dead");
						}
						ReflectionUtils.makeAccessible(method);
						return ReflectionUtils.invokeMethod(method, store, arguments);
					});
		}

		@Bean
		LeaderEndpoint endpoint(LeaderElections elections, LeaseStore store) {
			return new LeaderEndpoint(elections, () -> new NodeDescription.Backend("memory", store.limits()), PATIENCE);
		}

	}

}
