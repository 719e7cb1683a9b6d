package io.leaderelection.sample.demo;

import java.io.UnsupportedEncodingException;
import java.time.Duration;

import io.leaderelection.sample.SampleTest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page hears of that listens to a node.
 */
@SampleTest
class NewsTests {

	@Autowired
	Chronicle chronicle;

	@Test
	void aPageIsToldThatThereIsNews() {
		MockMvcTester http = MockMvcTester.of(new NewsController(this.chronicle));
		MvcTestResult page = listen(http);
		Awaitility.await().until(() -> told(page) == 1);
		this.chronicle.note(Chronicle.Kind.AWAKE, null);
		Awaitility.await().until(() -> told(page) == 2);
	}

	@Test
	void aNodeThatStopsWaitsForNoPage() {
		NewsController news = new NewsController(this.chronicle);
		MockMvcTester http = MockMvcTester.of(news);
		MvcTestResult early = listen(http);
		news.end();
		MvcTestResult late = listen(http);
		assertThat(early.getMvcResult().getAsyncResult(Duration.ofSeconds(10).toMillis())).isNull();
		assertThat(late.getMvcResult().getAsyncResult(Duration.ofSeconds(10).toMillis())).isNull();
	}

	private static MvcTestResult listen(MockMvcTester http) {
		MvcTestResult page = http.get().uri("/api/node/news").asyncExchange();
		assertThat(page).request().hasAsyncStarted(true);
		return page;
	}

	private static int told(MvcTestResult page) throws UnsupportedEncodingException {
		return StringUtils.countOccurrencesOf(page.getResponse().getContentAsString(), "data:news");
	}

}
