package io.leaderelection.nodes;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Runs a part of a test with classes of its own: those that were compiled here and some
 * of the libraries, all of which are loaded anew.
 */
public final class OwnClassLoader {

	private OwnClassLoader() {
	}

	/** Runs the public static {@code run(String...)} of a public class. */
	public static Object run(Class<?> type, Predicate<String> library, String... arguments) throws Exception {
		return run(type, List.of(), library, arguments);
	}

	/** The same, with more classes, which go before the others. */
	public static Object run(Class<?> type, List<Path> more, Predicate<String> library, String... arguments)
			throws Exception {
		URL[] files = Stream
			.concat(more.stream().map(Path::toFile),
					Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
						.map(File::new)
						.filter((file) -> file.isDirectory() || library.test(file.getName())))
			.map(OwnClassLoader::url)
			.toArray(URL[]::new);
		// it looks for drivers once in the life of a JVM, with the class loader of this
		// thread
		DriverManager.drivers();
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(files, ClassLoader.getPlatformClassLoader())) {
			Thread.currentThread().setContextClassLoader(loader);
			return loader.loadClass(type.getName()).getMethod("run", String[].class).invoke(null, (Object) arguments);
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	private static URL url(File file) {
		try {
			return file.toURI().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
