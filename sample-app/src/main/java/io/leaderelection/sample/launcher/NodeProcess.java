package io.leaderelection.sample.launcher;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A node in a process of its own.
 */
final class NodeProcess extends ChildProcess {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

	private final URI address;

	NodeProcess(String nodeId, URI address, List<String> command, Path directory) {
		super(nodeId, command, directory);
		this.address = address;
	}

	URI address() {
		return this.address;
	}

	void awaitAnswer() throws StartFailedException {
		await(this::answers, PATIENCE);
	}

	private boolean answers() {
		HttpRequest request = HttpRequest.newBuilder(this.address.resolve("/api/leader/status"))
			.timeout(Duration.ofSeconds(2))
			.build();
		try {
			return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
		}
		catch (IOException ex) {
			// nobody listens yet
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
