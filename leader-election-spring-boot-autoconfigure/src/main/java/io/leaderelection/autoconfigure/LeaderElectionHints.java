package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Registers what is looked up by name: the classes of the backends, the electors of
 * elections that are declared only where the application runs, and the metadata of the
 * properties.
 */
class LeaderElectionHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (LeaderElectionBackend backend : BackendChoice.load(classLoader)) {
			Stream.of(backend.requiredClasses(), backend.beanTypes())
				.flatMap(List::stream)
				.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
		}
		hints.resources().registerPattern(UnknownProperties.METADATA);
		hints.reflection()
			.registerType(DeclaredElectors.class,
					(type) -> type.withMethod("elector", TypeReference.listOf(String.class), ExecutableMode.INVOKE));
	}

}
