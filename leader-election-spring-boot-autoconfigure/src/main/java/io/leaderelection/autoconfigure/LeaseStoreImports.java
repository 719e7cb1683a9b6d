package io.leaderelection.autoconfigure;

import java.util.Arrays;
import java.util.stream.Stream;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Names the configuration of the backend that is configured or, if none is, those of all
 * whose classes are there. Of the others nothing is as much as read.
 */
class LeaseStoreImports implements ImportSelector {

	private final Environment environment;

	private final ClassLoader classLoader;

	LeaseStoreImports(Environment environment, ClassLoader classLoader) {
		this.environment = environment;
		this.classLoader = classLoader;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importing) {
		return BackendChoice.configured(this.environment)
			.map(Stream::of)
			.orElseGet(() -> Arrays.stream(PossibleBackend.values()).map(PossibleBackend::backend))
			.filter(this::hasClasses)
			.map((backend) -> LeaseStoreConfigurations.of(backend).getName())
			.toArray(String[]::new);
	}

	private boolean hasClasses(Backend backend) {
		return PossibleBackend.of(backend).flatMap((known) -> known.missingClass(this.classLoader)).isEmpty();
	}

}
