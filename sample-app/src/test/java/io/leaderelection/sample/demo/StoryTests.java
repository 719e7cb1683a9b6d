package io.leaderelection.sample.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.leaderelection.LossReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page makes of leaderships that end.
 */
class StoryTests {

	@ParameterizedTest
	@EnumSource
	void everyReasonHasWords(LossReason reason) throws IOException {
		assertThat(new ClassPathResource("static/story.js").getContentAsString(StandardCharsets.UTF_8))
			.contains("\t%s: '".formatted(reason));
	}

}
