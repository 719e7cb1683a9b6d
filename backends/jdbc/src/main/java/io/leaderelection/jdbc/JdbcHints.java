package io.leaderelection.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * What a native image cannot see: the scripts, and what is asked for by its name.
 */
class JdbcHints implements RuntimeHintsRegistrar {

	/** They tell their data source by a method that no interface has. */
	private static final List<String> MANAGERS = List.of("org.springframework.orm.jpa.JpaTransactionManager",
			"org.springframework.orm.jpa.hibernate.HibernateTransactionManager");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/leaderelection/jdbc/schemas/*/*.sql");
		// without it, there would be neither wake-ups nor sessions
		hints.reflection().registerTypeIfPresent(classLoader, WakeUpSource.DRIVER);
		for (String manager : MANAGERS) {
			if (ClassUtils.isPresent(manager, classLoader)) {
				hints.reflection()
					.registerType(TypeReference.of(manager),
							(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE));
			}
		}
	}

}
