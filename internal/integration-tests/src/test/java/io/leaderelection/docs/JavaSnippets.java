package io.leaderelection.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;

/**
 * Lets the compiler look at what the documentation shows of Java, all of it at once. A
 * snippet is a class, members of one, or statements; what it takes for granted is in
 * {@link Surroundings}. An ellipsis stands for what the reader writes.
 */
final class JavaSnippets {

	/** A snippet that begins with imports has all that it needs. */
	private static final Pattern IMPORTS = Pattern.compile("(?:import [^;]+;\\s+)+");

	private static final String ANNOTATIONS = "^(?:@\\w+(?:\\([^\n]*\\))?\\s+)*";

	private static final Pattern TYPE = Pattern
		.compile(ANNOTATIONS + "(?:(?:public|final|abstract) )*(?:class|interface|record|enum) \\w+");

	private static final Pattern MEMBER = Pattern.compile(
			ANNOTATIONS + "(?:(?:public|private|static) )*(?!new |return |this)[\\w.<>,? ]+ \\w+\\([^;]*?\\)[^;(]*\\{");

	private JavaSnippets() {
	}

	/** What the compiler has against them, by their places. */
	static Map<String, List<String>> errors(List<Snippet> snippets) {
		List<Source> sources = new ArrayList<>();
		snippets.forEach((snippet) -> sources.add(source(snippet, "snippet%d".formatted(sources.size()))));
		Surroundings.STRANGERS
			.forEach((name, text) -> sources.add(new Source("surroundings", name.replace('.', '/'), text)));
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, diagnostics,
					List.of("-proc:none", "-Xlint:none", "-cp", System.getProperty("java.class.path")), null, sources);
			task.analyze();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return diagnostics.getDiagnostics()
			.stream()
			.filter((diagnostic) -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
			.collect(Collectors.groupingBy(
					(diagnostic) -> (diagnostic.getSource() instanceof Source source) ? source.place : "compiler",
					LinkedHashMap::new,
					Collectors.mapping((diagnostic) -> diagnostic.getMessage(Locale.ROOT), Collectors.toList())));
	}

	private static Source source(Snippet snippet, String folder) {
		String code = snippet.text()
			.replace("(…)", "()")
			.replaceAll("(?<=[{\\s])…", "throw new UnsupportedOperationException();");
		String imports = Surroundings.IMPORTS;
		Matcher own = IMPORTS.matcher(code);
		if (own.lookingAt()) {
			imports = own.group();
			code = code.substring(own.end());
		}
		String body;
		if (TYPE.matcher(code).find()) {
			body = code;
		}
		else {
			String members = MEMBER.matcher(code).find() ? code
					: "void statements() throws Exception {%n%s%n}".formatted(code);
			body = "class Enclosing {%n%s%n%s%n}".formatted(Surroundings.fields(), members);
		}
		return new Source(snippet.place(), folder + "/Snippet",
				"package %s;%n%s%n%s%n%s".formatted(folder, imports, body, Surroundings.typesFor(body)));
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String place;

		private final String text;

		private Source(String place, String name, String text) {
			super(URI.create("string:///%s.java".formatted(name)), Kind.SOURCE);
			this.place = place;
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
