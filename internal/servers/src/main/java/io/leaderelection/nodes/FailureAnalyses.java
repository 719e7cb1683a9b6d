package io.leaderelection.nodes;

import java.util.Objects;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/**
 * What the analyzers that Spring Boot finds say of a failure.
 */
public final class FailureAnalyses {

	private FailureAnalyses() {
	}

	public static FailureAnalysis of(Throwable failure) {
		// those of Spring Boot that need a bean factory are left out
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failed) -> {
			}))
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("Nobody explains this", failure));
	}

}
