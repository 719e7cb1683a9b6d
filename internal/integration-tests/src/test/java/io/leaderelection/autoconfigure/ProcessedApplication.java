package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.leaderelection.nodes.OwnClassLoader;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that was processed ahead of time, as the build plugins of Spring Boot do
 * it: by Spring Boot's own processor, from {@code main} on, and compiled.
 */
final class ProcessedApplication {

	private final Class<?> application;

	private final List<Path> generated;

	private ProcessedApplication(Class<?> application, List<Path> generated) {
		this.application = application;
		this.generated = generated;
	}

	static ProcessedApplication of(Class<?> application, Path directory, String... arguments) throws IOException {
		Path sources = directory.resolve("sources");
		Path resources = directory.resolve("resources");
		Path classes = directory.resolve("classes");
		new SpringApplicationAotProcessor(application,
				Settings.builder()
					.sourceOutput(sources)
					.resourceOutput(resources)
					.classOutput(classes)
					.groupId("io.leaderelection")
					.artifactId("processed")
					.build(),
				arguments)
			.process();
		compile(sources, classes);
		// unlike the system property, this is for one class loader
		Files.writeString(resources.resolve("spring.properties"), "spring.aot.enabled=true");
		return new ProcessedApplication(application, List.of(classes, resources));
	}

	private static void compile(Path sources, Path classes) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter messages = new StringWriter();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> all = Files.walk(sources)) {
			List<String> options = List.of("-d", classes.toString(), "-proc:none", "-classpath",
					classes + System.getProperty("path.separator") + System.getProperty("java.class.path"));
			boolean compiled = compiler
				.getTask(messages, files, null, options, null,
						files.getJavaFileObjectsFromPaths(
								all.filter((file) -> file.toString().endsWith(".java")).toList()))
				.call();
			assertThat(compiled).as(messages.toString()).isTrue();
		}
	}

	/** Runs the public static {@code run(String...)} of the application. */
	Object run(String... arguments) throws Exception {
		return OwnClassLoader.run(this.application, this.generated, (library) -> true, arguments);
	}

}
