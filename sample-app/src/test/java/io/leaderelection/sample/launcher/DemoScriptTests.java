package io.leaderelection.sample.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code ./demo} says to what it cannot do, in a copy of it without a project around
 * it, and with a Maven that is told what to do.
 */
@Timeout(120)
class DemoScriptTests {

	@TempDir
	private Path directory;

	private Path programs;

	@BeforeEach
	void copyTheScript() throws IOException {
		Files.copy(RunningDemo.REPOSITORY.resolve("demo"), this.directory.resolve("demo"));
		Files.writeString(this.directory.resolve("pom.xml"), "<project/>");
		this.programs = Files.createDirectory(this.directory.resolve("programs"));
		for (String name : List.of("bash", "dirname", "sed", "find", "head", "tail", "grep", "mkdir", "rm", "touch",
				"sleep", "cat", "env")) {
			Files.createSymbolicLink(this.programs.resolve(name), which(name));
		}
	}

	private static Path which(String name) {
		return List.of("/bin", "/usr/bin", "/usr/local/bin")
			.stream()
			.map((place) -> Path.of(place, name))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void itTellsAllItsOptions() throws Exception {
		Ended help = run("--help");
		assertThat(help.exit()).isZero();
		assertThat(help.out()).contains("--backend", "--address", "--nodes", "--port", "--host", "--no-fence", "--jar",
				"--help");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					--frobnicate                       | There is no option '--frobnicate'
					reports                            | There is no option 'reports'
					--backend                          | --backend needs a value
					--backend etcd                     | There is no backend 'etcd'; there are h2, redis, zookeeper and jdbc.
					--nodes 0                          | --nodes is from 1 to 9, not '0'.
					--nodes=12                         | --nodes is from 1 to 9, not '12'.
					--nodes three                      | --nodes is from 1 to 9, not 'three'.
					--port 65535                       | --port is a port number, not '65535'.
					--port 08x                         | --port is a port number, not '08x'.
					--address localhost:1              | --address goes with --backend redis, zookeeper or jdbc.
					--backend redis --address here     | --address is host:port for redis, not 'here'.
					--backend jdbc --address here:5432 | --address is a URL such as jdbc:postgresql://localhost:5432/postgres for jdbc, not 'here:5432'.
					--jar nowhere.jar                  | There is no file 'nowhere.jar'.
					""")
	void aMistakeIsOneSentence(String options, String sentence) throws Exception {
		assertRefused(run(options.split(" ")), sentence);
	}

	@Test
	void aPortInUseIsNamed() throws Exception {
		installJava("17.0.1");
		int port = RunningDemo.freePorts(2);
		try (ServerSocket taken = new ServerSocket(port + 1, 1, InetAddress.getByName("localhost"))) {
			assertRefused(run("--port", String.valueOf(port)), "Port %d is in use".formatted(taken.getLocalPort()));
		}
	}

	@Test
	void withoutAJdkItSaysSo() throws Exception {
		assertRefused(run(), "There is no JDK: install one (17 or newer)");
		assertRefused(run(Map.of("JAVA_HOME", "/nowhere")), "There is no JDK: install one (17 or newer)");
	}

	@ParameterizedTest
	@CsvSource({ "11.0.2, 11", "1.8.0_402, 1" })
	void anOldJdkIsNotTaken(String version, String major) throws Exception {
		installJava(version);
		assertRefused(run(freePort()), "The JDK is too old: 17 or newer is needed, and java is " + major);
	}

	@Test
	void withoutMavenItSaysSo() throws Exception {
		installJava("17.0.1");
		assertRefused(run(freePort()), "There is no Maven: install it");
	}

	@Test
	void aJreIsNoJdk() throws Exception {
		installJava("17.0.1");
		install("mvn", "exit 0");
		assertRefused(run(freePort()), "There is no compiler");
	}

	@Test
	void aBuildThatFailsIsShown() throws Exception {
		installJava("17.0.1");
		install("javac", "exit 0");
		install("mvn", "echo '[INFO] much'; echo '[ERROR] a sentence is missing'; exit 1");
		Ended ended = run(freePort());
		assertThat(ended.exit()).isEqualTo(1);
		assertThat(ended.err()).contains("[ERROR] a sentence is missing")
			.contains("The build of sample-app failed; all of it is in sample-app/target/demo-build.log.")
			.doesNotContain("much");
	}

	@Test
	void itBuildsWhatItNeedsAndNothingTwice() throws Exception {
		installJava("17.0.1");
		install("javac", "exit 0");
		install("mvn", "echo \"$@\" >> commands");
		String[] options = { "--port", String.valueOf(RunningDemo.freePorts(3)), "--backend", "redis" };
		assertThat(run(options).out()).contains("Building sample-app", "Building sample-servers", "ran ");
		assertThat(run(options).out()).doesNotContain("Building").contains("ran ");
		assertThat(Files.readAllLines(this.directory.resolve("commands"))).hasSize(2)
			.allSatisfy((command) -> assertThat(command).contains("-P demo", " package")
				.doesNotContain("internal/", "-am"));

		Path source = Files.createDirectories(this.directory.resolve("sample-app/src/main")).resolve("New.java");
		Files.writeString(source, "class New {}");
		assertThat(run(options).out()).contains("Building sample-app").doesNotContain("Building sample-servers");
	}

	@Test
	void theLauncherIsToldEverything() throws Exception {
		installJava("21");
		Path jar = Files.createFile(this.directory.resolve("some.jar"));
		int port = RunningDemo.freePorts(2);
		assertThat(run("--jar", jar.toString(), "--port", String.valueOf(port), "--nodes", "2", "--backend", "redis",
				"--address", "redis.example:6379", "--no-fence")
			.out()).contains("ran ", "-cp " + jar, Launcher.class.getName(), "--backend=redis", "--nodes=2",
					"--port=" + port, "--host=localhost", "--address=redis.example:6379", "--no-fence");
	}

	private static String[] freePort() {
		return new String[] { "--port", String.valueOf(RunningDemo.freePorts(3)) };
	}

	private void installJava(String version) throws IOException {
		install("java", """
				case "$*" in
					-version) echo 'openjdk version "%s" 2026-01-01' >&2 ;;
					*extract*) mkdir -p sample-app/target/demo-app; touch sample-app/target/demo-app/sample-app.jar ;;
					*) echo "ran $*" ;;
				esac
				""".formatted(version));
	}

	private void install(String name, String script) throws IOException {
		Path program = Files.writeString(this.programs.resolve(name), "#!/bin/sh\n" + script);
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	private static void assertRefused(Ended ended, String sentence) {
		assertThat(ended.err()).startsWith("demo: " + sentence).hasLineCount(1);
		assertThat(ended.exit()).isEqualTo(1);
		assertThat(ended.out()).isEmpty();
	}

	private Ended run(String... options) throws Exception {
		return run(Map.of(), options);
	}

	private Ended run(Map<String, String> environment, String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("bash", "demo"));
		command.addAll(List.of(options));
		Path out = this.directory.resolve("out");
		Path err = this.directory.resolve("err");
		ProcessBuilder builder = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectOutput(out.toFile())
			.redirectError(err.toFile());
		builder.environment().clear();
		builder.environment().put("PATH", this.programs.toString());
		builder.environment().putAll(environment);
		Process process = builder.start();
		if (!process.waitFor(60, TimeUnit.SECONDS)) {
			process.destroyForcibly();
			throw new AssertionError("It does not end");
		}
		return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
				Files.readString(err, StandardCharsets.UTF_8));
	}

	private record Ended(int exit, String out, String err) {
	}

}
