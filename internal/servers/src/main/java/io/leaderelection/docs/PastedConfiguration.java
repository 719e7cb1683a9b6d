package io.leaderelection.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A class of the documentation, compiled from exactly the text of its page, as if a
 * reader had pasted it into a file.
 */
public final class PastedConfiguration {

	private static final Pattern CLASS = Pattern.compile("^class (\\w+)", Pattern.MULTILINE);

	private PastedConfiguration() {
	}

	/**
	 * Compiles the first Java snippet of a page.
	 * @param page the file, below the root of the repository
	 * @param folder where to put the classes
	 * @return the class
	 */
	public static Class<?> firstOf(String page, Path folder) {
		String text = Page.of(page)
			.snippets()
			.stream()
			.filter((snippet) -> snippet.language().equals("java"))
			.findFirst()
			.orElseThrow()
			.text();
		Matcher name = CLASS.matcher(text);
		assertThat(name.find()).as(text).isTrue();
		try {
			Path source = Files.writeString(folder.resolve(name.group(1) + ".java"), text);
			compile(source, folder);
			return new URLClassLoader(new URL[] { folder.toUri().toURL() }, PastedConfiguration.class.getClassLoader())
				.loadClass(name.group(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void compile(Path source, Path folder) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter output = new StringWriter();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			List<String> options = List.of("-proc:none", "-parameters", "-cp", System.getProperty("java.class.path"),
					"-d", folder.toString());
			boolean compiled = compiler
				.getTask(output, files, null, options, null, files.getJavaFileObjects(source.toFile()))
				.call();
			assertThat(compiled).as(output.toString()).isTrue();
		}
	}

}
