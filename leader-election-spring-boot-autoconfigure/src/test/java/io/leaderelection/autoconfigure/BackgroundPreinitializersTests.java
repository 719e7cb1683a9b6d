package io.leaderelection.autoconfigure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring Boot swallows what a preinitializer throws, so that nobody would notice.
 */
class BackgroundPreinitializersTests {

	private final List<BackgroundPreinitializer> all = SpringFactoriesLoader.forDefaultResourceLocation()
		.load(BackgroundPreinitializer.class);

	private final List<BackgroundPreinitializer> ours = this.all.stream()
		.filter(BackgroundPreinitializersTests::isOurs)
		.toList();

	private static boolean isOurs(BackgroundPreinitializer one) {
		return one.getClass().getName().startsWith("io.leaderelection.");
	}

	@Test
	void areFoundBySpringBoot() {
		assertThat(this.ours).extracting((one) -> one.getClass().getSimpleName())
			.containsExactly("GuardsBackgroundPreinitializer", "ElectionsBackgroundPreinitializer");
	}

	@Test
	void comeBeforeThoseOfSpringBootWhereverTheyStandOnTheClassPath() {
		List<BackgroundPreinitializer> sorted = new ArrayList<>(this.all);
		Collections.reverse(sorted);
		AnnotationAwareOrderComparator.sort(sorted);
		assertThat(sorted).hasSizeGreaterThan(this.ours.size());
		assertThat(sorted.subList(0, this.ours.size())).containsExactlyInAnyOrderElementsOf(this.ours);
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
