package io.leaderelection.actuate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * The commands to the endpoint in the documentation, as somebody pastes them into a
 * shell. Only the port is another one.
 */
@Timeout(120)
class DocumentedCommandsTests {

	private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

	private static final String ADDRESS = "localhost:8080";

	private static EndpointNode node;

	@BeforeAll
	static void start() {
		node = EndpointNode.withoutSecurity(WebApplicationType.SERVLET,
				"management.endpoint.leader.access=unrestricted");
	}

	@AfterAll
	static void stop() {
		node.close();
	}

	static Stream<String> commands() throws IOException {
		try (Stream<Path> docs = Files.walk(REPOSITORY.resolve("docs"))) {
			List<Path> pages = Stream.concat(Stream.of(REPOSITORY.resolve("README.md")), docs)
				.filter((file) -> file.toString().endsWith(".md"))
				.sorted()
				.toList();
			return pages.stream().flatMap(DocumentedCommandsTests::lines).filter((line) -> line.startsWith("curl "));
		}
	}

	private static Stream<String> lines(Path page) {
		try {
			return Files.readAllLines(page).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void thereAreSome() throws IOException {
		assertThat(commands()).hasSizeGreaterThanOrEqualTo(2).allMatch((command) -> command.contains(ADDRESS));
	}

	@ParameterizedTest
	@MethodSource("commands")
	void aLeaderThatIsToldToIsReplaced(String command) throws Exception {
		assumeThat(isInstalled("curl")).as("curl").isTrue();
		node.elector("reports").operations().resume();
		try (LeaderElections other = LeaderElections.on(node.store()).nodeId("node-2").build()) {
			await().until(() -> node.elector("reports").isLeader() || node.elector("reports").tryBecomeLeader());
			other.elector("reports", ElectionSettings.ofLease(EndpointNode.LEASE));
			other.start();
			await().until(() -> node.elector("reports").operations().candidates().join().contains("node-2"));
			assertThat(run(command.replace(ADDRESS, "localhost:" + node.port()) + " --silent --show-error --fail"))
				.contains("\"released\":true");
			await().until(other.elector("reports")::isLeader);
		}
	}

	private static boolean isInstalled(String program) throws Exception {
		return new ProcessBuilder("bash", "-c", "command -v " + program).redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor() == 0;
	}

	private static String run(String command) throws Exception {
		Process process = new ProcessBuilder("bash", "-c", command).redirectErrorStream(true).start();
		try (InputStream output = process.getInputStream()) {
			String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor()).as("%s%n%s", command, said).isZero();
			return said;
		}
	}

}
