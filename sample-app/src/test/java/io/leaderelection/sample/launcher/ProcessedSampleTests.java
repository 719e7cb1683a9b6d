package io.leaderelection.sample.launcher;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.sample.SampleApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample as the build has processed it ahead of time: two nodes, each a process.
 * Gradle does not process it, since Spring Boot's plugin for it is not in use.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "sample.processed", matches = "true")
@Tag("full")
class ProcessedSampleTests {

	private static final Pattern SKIPPED = Pattern
		.compile("leader_election_guarded_calls_total\\{.*outcome=\"skipped\".*} ([0-9.]+)");

	private final HttpClient client = HttpClient.newHttpClient();

	private final List<Process> processes = new ArrayList<>();

	@TempDir
	private Path directory;

	@Test
	void oneNodePaysAndTheOtherIsKeptFromIt() throws Exception {
		int port = RunningDemo.freePorts(2);
		start("first", port);
		await(() -> get(port, "/api/leader/status").contains("\"leading\":true"));
		start("second", port + 1);
		await(() -> skipped(port + 1) >= 3 && get(port, "/api/ledger").split("\"nodeId\":\"first\"").length > 4);
		assertThat(get(port, "/api/ledger")).doesNotContain("\"second\"");
		assertThat(get(port + 1, "/api/leader/status")).contains("\"leading\":false", "\"nodeId\":\"first\"");
		HttpResponse<String> refused = send(port + 1,
				HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.noBody()), "/api/leader/admin/task");
		assertThat(refused.statusCode()).isEqualTo(503);
		assertThat(refused.body()).contains("first");
		this.processes.remove(0).destroy();
		await(() -> get(port + 1, "/api/ledger").contains("\"nodeId\":\"second\""));
		for (String node : List.of("first", "second")) {
			assertThat(log(node)).contains("Starting AOT-processed SampleApplication");
		}
	}

	private void start(String node, int port) throws IOException {
		this.processes
			.add(new ProcessBuilder(ChildProcess.java(), "-Dspring.aot.enabled=true", "-XX:TieredStopAtLevel=1",
					"-XX:+UseSerialGC", "-Xmx192m", "-cp", String.join(File.pathSeparator, RunningDemo.classPath()),
					SampleApplication.class.getName(), "--server.port=" + port, "--leader-election.node-id=" + node,
					"--spring.datasource.url=jdbc:h2:async:%s;AUTO_SERVER=TRUE"
						.formatted(this.directory.resolve("ledger")))
				.redirectErrorStream(true)
				.redirectOutput(this.directory.resolve(node + ".log").toFile())
				.start());
	}

	private void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofMinutes(2)).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
			assertThat(this.processes).allMatch(Process::isAlive);
			return condition.call();
		});
	}

	private double skipped(int port) throws Exception {
		Matcher matcher = SKIPPED.matcher(get(port, "/actuator/prometheus"));
		return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
	}

	private String get(int port, String path) throws Exception {
		return send(port, HttpRequest.newBuilder(), path).body();
	}

	private HttpResponse<String> send(int port, HttpRequest.Builder request, String path) throws Exception {
		return this.client.send(request.uri(URI.create("http://localhost:%d%s".formatted(port, path))).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	private String log(String node) throws IOException {
		return Files.readString(this.directory.resolve(node + ".log"));
	}

	@AfterEach
	void end() throws Exception {
		for (Process process : this.processes) {
			process.destroyForcibly().waitFor();
		}
	}

}
