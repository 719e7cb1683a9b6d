package io.leaderelection.build;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.docs.Page;
import io.leaderelection.dynamodb.DynamoDbFence;
import io.leaderelection.etcd.EtcdFence;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.kubernetes.KubernetesLeaseStore;
import io.leaderelection.redis.RedisFence;
import io.leaderelection.test.TestLeadership;
import io.leaderelection.zookeeper.ZooKeeperFence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Our jars on the module path: the platform itself is asked whether it takes them. It
 * refuses two modules with the same package.
 */
class ModulePathTests {

	private static final Path REPOSITORY = Page.REPOSITORY;

	private static final Map<String, Class<?>> MODULES = modules();

	@TempDir
	private Path jars;

	@Test
	void allOfOurJarsGoTogether() throws IOException {
		for (Map.Entry<String, Class<?>> module : MODULES.entrySet()) {
			jar(moduleName(module.getKey()), classesOf(module.getValue()));
		}
		Configuration resolved = resolve();
		assertThat(resolved.modules()).extracting((module) -> module.name())
			.contains("io.leaderelection.core", "io.leaderelection.test", "io.leaderelection.autoconfigure",
					"io.leaderelection.redis");
		assertThat(ModuleFinder.of(this.jars).findAll()).hasSize(MODULES.size())
			.allSatisfy((module) -> assertThat(module.descriptor().packages()).as("%s", module).isNotEmpty());
	}

	@Test
	void aPackageInTwoOfThemWouldBeRefused() throws IOException {
		jar("one", classesOf(LeaderElections.class));
		jar("other", classesOf(LeaderElections.class));
		assertThatExceptionOfType(ResolutionException.class).isThrownBy(this::resolve)
			.withMessageContaining("io.leaderelection");
	}

	@Test
	void theNamesAreDocumented() throws IOException {
		String page = Files.readString(REPOSITORY.resolve("docs/artifacts.md"));
		assertThat(published())
			.contains("leader-election-core", "leader-election-spring-boot-starter", "backends/redis")
			.allSatisfy((directory) -> assertThat(page).contains("| `%s` | `%s` |"
				.formatted(directory.replace("backends/", "leader-election-"), moduleName(directory))));
	}

	private Configuration resolve() throws FindException {
		ModuleFinder finder = ModuleFinder.of(this.jars);
		Set<String> roots = finder.findAll()
			.stream()
			.map(ModuleReference::descriptor)
			.map((descriptor) -> descriptor.name())
			.collect(Collectors.toSet());
		return ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), roots);
	}

	private void jar(String moduleName, Path classes) throws IOException {
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		manifest.getMainAttributes().putValue("Automatic-Module-Name", moduleName);
		try (OutputStream file = Files.newOutputStream(this.jars.resolve(moduleName + ".jar"));
				JarOutputStream jar = new JarOutputStream(file, manifest);
				Stream<Path> files = Files.walk(classes)) {
			for (Path source : files.filter(Files::isRegularFile).toList()) {
				String entry = classes.relativize(source).toString();
				if (!entry.equals("META-INF/MANIFEST.MF")) {
					jar.putNextEntry(new JarEntry(entry));
					Files.copy(source, jar);
				}
			}
		}
	}

	private static Map<String, Class<?>> modules() {
		Map<String, Class<?>> modules = new LinkedHashMap<>();
		modules.put("leader-election-core", LeaderElections.class);
		modules.put("leader-election-test", TestLeadership.class);
		modules.put("leader-election-spring-boot-autoconfigure", LeaderOnly.class);
		modules.put("backends/dynamodb", DynamoDbFence.class);
		modules.put("backends/etcd", EtcdFence.class);
		modules.put("backends/jdbc", JdbcFence.class);
		modules.put("backends/kubernetes", KubernetesLeaseStore.class);
		modules.put("backends/redis", RedisFence.class);
		modules.put("backends/zookeeper", ZooKeeperFence.class);
		return modules;
	}

	private static Set<String> published() throws IOException {
		try (Stream<Path> directories = Files.walk(REPOSITORY, 2)) {
			return directories.filter((directory) -> !directory.equals(REPOSITORY))
				.map((directory) -> directory.resolve("pom.xml"))
				.filter(Files::exists)
				.filter((pom) -> !read(pom).contains("<maven.deploy.skip>true<"))
				.filter((pom) -> !read(pom).contains("<packaging>pom<"))
				.map((pom) -> REPOSITORY.relativize(pom.getParent()).toString())
				.collect(Collectors.toSet());
		}
	}

	private static String moduleName(String module) {
		Matcher name = Pattern.compile("<Automatic-Module-Name>(.*)</Automatic-Module-Name>")
			.matcher(read(REPOSITORY.resolve(module).resolve("pom.xml")));
		assertThat(name.find()).as(module).isTrue();
		return name.group(1);
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A directory, or a jar: it depends on the phase of the build that runs the tests.
	 */
	private static Path classesOf(Class<?> type) {
		try {
			Path location = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
			return Files.isDirectory(location) ? location : FileSystems.newFileSystem(location).getPath("/");
		}
		catch (URISyntaxException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
