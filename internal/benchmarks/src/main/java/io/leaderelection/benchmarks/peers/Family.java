package io.leaderelection.benchmarks.peers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Libraries that an application has together. What belongs to no family everybody has.
 */
enum Family {

	OURS("leader-election-"),

	WEB("spring-boot-(starter-)?(webmvc|tomcat|jackson|servlet|http-converter|web-server)|tomcat-|spring-web"),

	REDIS("spring-boot-(starter-)?data-|spring-data-|lettuce-"),

	JDBC("spring-boot-(starter-)?(jdbc|sql|transaction|persistence)|spring-jdbc|HikariCP|postgresql-"),

	ZOOKEEPER("curator-(client|framework|recipes)|zookeeper-"),

	INTEGRATION("spring-integration-|spring-messaging-"),

	REDISSON("redisson-"),

	KUBERNETES("kubernetes-(client|model|httpclient)|vertx-"),

	SHEDLOCK("shedlock-"),

	SERVERS("embedded-|curator-test|kubernetes-server-mock|mockwebserver|jimfs|junit-|mockito-"),

	JMH("jmh-|jopt-simple|commons-math3");

	/** Folders as jars, since a JVM archives no classes that are in folders. */
	private static final Map<String, String> PACKED = new ConcurrentHashMap<>();

	private final Pattern jars;

	Family(String jars) {
		this.jars = Pattern.compile(jars);
	}

	/**
	 * The class path of an application.
	 * @param families what it has
	 * @return all that this process has, without the other families
	 */
	static String classPath(Set<Family> families) {
		return Arrays.stream(wholeClassPath())
			.filter((entry) -> Arrays.stream(values())
				.allMatch((family) -> families.contains(family) || !family.has(Path.of(entry))))
			.map((entry) -> Files.isDirectory(Path.of(entry)) ? PACKED.computeIfAbsent(entry, Family::pack) : entry)
			.collect(Collectors.joining(File.pathSeparator));
	}

	static String[] wholeClassPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.flatMap(Family::withManifest)
			.map(Path::toString)
			.distinct()
			.toArray(String[]::new);
	}

	/**
	 * A jar that names others in its manifest always brings all of them along, so the
	 * classes beside it stand in for it.
	 */
	private static Stream<Path> withManifest(Path entry) {
		if (!Files.isRegularFile(entry)) {
			return Stream.of(entry);
		}
		try (JarFile jar = new JarFile(entry.toFile())) {
			Manifest manifest = jar.getManifest();
			String others = (manifest != null) ? manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH)
					: null;
			return (others != null) ? Stream.concat(Stream.of("classes"), Arrays.stream(others.split(" ")))
				.map(entry.toAbsolutePath()::resolveSibling)
				.filter(Files::exists) : Stream.of(entry);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String pack(String folder) {
		try {
			Path jar = Files.createTempFile("node", ".jar");
			jar.toFile().deleteOnExit();
			try (JarOutputStream output = new JarOutputStream(Files.newOutputStream(jar));
					Stream<Path> files = Files.walk(Path.of(folder))) {
				for (Path file : files.filter(Files::isRegularFile).toList()) {
					output.putNextEntry(
							new JarEntry(Path.of(folder).relativize(file).toString().replace(File.separatorChar, '/')));
					Files.copy(file, output);
				}
			}
			return jar.toString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private boolean has(Path entry) {
		boolean folder = entry.endsWith(Path.of("target", "classes"));
		Path named = folder ? entry.toAbsolutePath().getParent().getParent() : entry;
		String name = named.getFileName().toString();
		boolean backend = folder && named.getParent().endsWith("backends");
		return this.jars.matcher(backend ? "leader-election-" + name : name).lookingAt();
	}

}
