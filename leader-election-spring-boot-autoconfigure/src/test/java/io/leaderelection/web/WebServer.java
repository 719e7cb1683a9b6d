package io.leaderelection.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real web application on a free port, and what one can ask it.
 */
public final class WebServer implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private WebServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	public static WebServer start(Stack stack, List<Class<?>> sources, String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.reactor.netty.shutdown-quiet-period=0s"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return new WebServer(new SpringApplicationBuilder(stack.configuration).sources(sources.toArray(Class[]::new))
			.web(stack.type)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run(arguments.toArray(String[]::new)));
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public URI uri(String path) {
		return URI.create("http://localhost:%s%s".formatted(port(), path));
	}

	public int port() {
		return Integer.parseInt(this.context.getEnvironment().getRequiredProperty("local.server.port"));
	}

	public Answer get(String path, String... headers) {
		return send(HttpRequest.newBuilder(uri(path)).GET(), headers);
	}

	public Answer post(String path, String... headers) {
		return send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.noBody()), headers);
	}

	private static Answer send(HttpRequest.Builder request, String... headers) {
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		try {
			return new Answer(CLIENT.send(request.build(), BodyHandlers.ofString()));
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * An answer as it came over the wire.
	 */
	public record Answer(HttpResponse<String> response) {

		public int status() {
			return this.response.statusCode();
		}

		public String body() {
			return this.response.body();
		}

		Map<String, Object> problem() {
			assertThat(this.response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
			return JsonParserFactory.getJsonParser().parseMap(body());
		}

		List<String> header(String name) {
			return this.response.headers().allValues(name);
		}

	}

}
