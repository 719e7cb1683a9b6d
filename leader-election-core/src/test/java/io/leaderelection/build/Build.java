package io.leaderelection.build;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one build tool says of the project. Both tools are read into the same words, those
 * of Maven, so that they can be compared.
 */
interface Build {

	/**
	 * The name under which the build of the root directory is asked for the BOMs that it
	 * imports.
	 */
	String ROOT = ".";

	String OWN_GROUP = "io.leaderelection";

	String name();

	Set<String> modules();

	/**
	 * Where a module is.
	 * @param module the module
	 * @return its directory below the root
	 */
	String directory(String module);

	Set<Dependency> dependencies(String module);

	/**
	 * What a module is called on the module path.
	 * @param module the module
	 * @return its {@code Automatic-Module-Name}; empty if it has none
	 */
	Optional<String> moduleName(String module);

	/**
	 * What the published POM of a module says of it.
	 * @param module the module
	 * @return one line per element; empty if the module is not published
	 */
	Set<String> publication(String module);

	/**
	 * The versions that the Spring Boot BOM does not manage, and that of Java.
	 * @return one line per version
	 */
	Set<String> versions();

	/**
	 * What this build does that it must not do, whatever the other one says.
	 * @return one sentence per offence
	 */
	List<String> offences();

	static Path rootAbove(Path start) {
		for (Path directory = start.toAbsolutePath(); directory != null; directory = directory.getParent()) {
			if (directory.resolve("settings.gradle.kts").toFile().exists()) {
				return directory;
			}
		}
		throw new IllegalStateException("No settings.gradle.kts in any directory above " + start.toAbsolutePath());
	}

	/**
	 * A dependency of one module.
	 *
	 * @param scope Maven's word for it, {@code processor}, or {@code managed} in the BOM
	 * @param name group and artifact
	 * @param version the name of the version, or empty when the Spring Boot BOM or the
	 * project itself decides
	 * @param exclusions group and artifact of what it must not bring along
	 */
	record Dependency(String scope, String name, String version, Set<String> exclusions) {

		Dependency(String scope, String name, String version) {
			this(scope, name, version, Set.of());
		}

		@Override
		public String toString() {
			return this.name + " (" + this.scope + (this.version.isEmpty() ? "" : ", " + this.version)
					+ (this.exclusions.isEmpty() ? "" : ", without " + new TreeSet<>(this.exclusions)) + ")";
		}

	}

}
