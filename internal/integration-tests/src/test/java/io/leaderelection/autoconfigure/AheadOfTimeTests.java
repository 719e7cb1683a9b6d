package io.leaderelection.autoconfigure;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import io.leaderelection.servers.RedisServer;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * An application that was processed ahead of time does what it does otherwise: what is
 * guarded runs on the leader, and nowhere else.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("full")
class AheadOfTimeTests {

	private static final Map<String, String> AS_EVER = Map.of("generated code is used", "true", "leader",
			"container, interface, poller, scheduled, transaction of reports", "follower", "no transaction",
			"successor", "container, interface, poller, scheduled, transaction of reports");

	private static final String DATABASE = "--spring.datasource.url=jdbc:h2:mem:ahead;DB_CLOSE_DELAY=-1";

	@TempDir
	private static Path directory;

	private static ProcessedApplication onADatabase;

	@BeforeAll
	static void process() throws Exception {
		onADatabase = process("jdbc", "--leader-election.elections.reports=");
	}

	@Test
	void onADatabase() throws Exception {
		assertThat(onADatabase.run("--leader-election.backend=jdbc", DATABASE)).isEqualTo(AS_EVER);
	}

	/** The election is declared only where the application runs. */
	@Test
	void onRedis() throws Exception {
		ProcessedApplication processed = process("redis");
		try (RedisServer server = RedisServer.start()) {
			assertThat(processed.run("--leader-election.backend=redis", DATABASE,
					"--spring.data.redis.port=" + server.port(), "--leader-election.elections.reports="))
				.isEqualTo(AS_EVER);
		}
	}

	@Test
	void onZooKeeper() throws Exception {
		ProcessedApplication processed = process("zookeeper", "--leader-election.elections.reports=",
				"--leader-election.zookeeper.connect-string=localhost:1");
		try (TestingServer server = new TestingServer()) {
			assertThat(processed.run("--leader-election.backend=zookeeper", DATABASE,
					"--leader-election.zookeeper.connect-string=" + server.getConnectString()))
				.isEqualTo(AS_EVER);
		}
	}

	@Test
	void withAnotherBackendThanItWasProcessedFor(CapturedOutput output) {
		assertThatException().isThrownBy(() -> onADatabase.run("--leader-election.backend=local", DATABASE));
		assertThat(output).contains("APPLICATION FAILED TO START",
				"leader-election.backend is 'local', but was 'jdbc' when the application was processed ahead of time",
				"Set leader-election.backend=jdbc, or build the application again with leader-election.backend=local");
	}

	@Test
	void withoutTheGuardThatItWasProcessedWith(CapturedOutput output) {
		assertThatException().isThrownBy(() -> onADatabase.run("--leader-election.backend=jdbc", DATABASE,
				"--leader-election.fencing.jdbc.enabled=false"));
		assertThat(output).contains("leader-election.fencing.jdbc.enabled is 'false', but was 'true'");
	}

	@Test
	void withAMisspeltProperty(CapturedOutput output) {
		assertThatException().isThrownBy(() -> onADatabase.run("--leader-election.backend=jdbc", DATABASE,
				"--leader-election.lease-duraton=5s"));
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.lease-duraton is set");
	}

	private static ProcessedApplication process(String backend, String... arguments) throws Exception {
		String[] all = Stream.concat(Stream.of("--leader-election.backend=" + backend, DATABASE), Stream.of(arguments))
			.toArray(String[]::new);
		return ProcessedApplication.of(AheadOfTimeNode.class, directory.resolve(backend), all);
	}

}
