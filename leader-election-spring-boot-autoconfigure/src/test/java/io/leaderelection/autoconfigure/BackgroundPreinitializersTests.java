package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring Boot swallows what a preinitializer throws, so that nobody would notice.
 */
class BackgroundPreinitializersTests {

	private final List<BackgroundPreinitializer> ours = SpringFactoriesLoader.forDefaultResourceLocation()
		.load(BackgroundPreinitializer.class)
		.stream()
		.filter((one) -> one.getClass().getName().startsWith("io.leaderelection."))
		.toList();

	@Test
	void areFoundBySpringBoot() {
		assertThat(this.ours).extracting((one) -> one.getClass().getSimpleName())
			.containsExactly("GuardsBackgroundPreinitializer", "ElectionsBackgroundPreinitializer");
	}

	@Test
	void workAndLeaveNoThreadBehind() throws Exception {
		for (BackgroundPreinitializer one : this.ours) {
			one.preinitialize();
		}
		assertThat(threads()).noneMatch((name) -> name.contains("(background)"));
	}

	private static Stream<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
	}

}
