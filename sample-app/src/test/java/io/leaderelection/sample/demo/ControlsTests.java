package io.leaderelection.sample.demo;

import io.leaderelection.sample.SampleTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The controls, as far as they leave the process of this test alone.
 */
@SampleTest
@TestPropertySource(properties = { "spring.profiles.active=demo", "demo.peers=http://a.example,http://b.example" })
class ControlsTests {

	@Autowired
	MockMvcTester http;

	@ParameterizedTest
	@ValueSource(strings = { "freeze", "cut-off" })
	void theyLastNeitherNoTimeNorForEver(String control) {
		for (String seconds : new String[] { "0", "-1", "61" }) {
			assertThat(this.http.post()
				.uri("/api/demo/" + control)
				.contentType(MediaType.APPLICATION_JSON)
				.content("{\"seconds\": %s}".formatted(seconds))).as(seconds).hasStatus(HttpStatus.BAD_REQUEST);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "freeze", "cut-off", "crash" })
	void theyDoNotTakeWhatAnyPageMaySendWithoutAsking(String control) {
		assertThat(this.http.post().uri("/api/demo/" + control).contentType(MediaType.TEXT_PLAIN).content("{}"))
			.hasStatus(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
	}

	@Test
	void aDatabaseInThisProcessCannotBeCutOff() {
		assertThat(this.http.post()
			.uri("/api/demo/cut-off")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"seconds\": 1}")).hasStatus(HttpStatus.CONFLICT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/demo/crash", "/api/leader/admin/task" })
	void onlyThePagesOfTheNodesMayAsk(String path) {
		assertThat(preflight(path, "http://b.example")).hasStatusOk();
		assertThat(preflight(path, "http://evil.example")).hasStatus(HttpStatus.FORBIDDEN);
	}

	/** Spring lets the preflight of the actuator pass, and asks at the request itself. */
	@Test
	void onlyThePagesOfTheNodesMayMoveLeadership() {
		assertThat(preflight("/actuator/leader/payouts", "http://b.example")).hasStatusOk();
		assertThat(this.http.post()
			.uri("/actuator/leader/payouts")
			.header(HttpHeaders.ORIGIN, "http://evil.example")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"action\": \"pause\"}")).hasStatus(HttpStatus.FORBIDDEN);
	}

	private MockMvcTester.MockMvcRequestBuilder preflight(String path, String origin) {
		return this.http.options()
			.uri(path)
			.header(HttpHeaders.ORIGIN, origin)
			.header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD, "POST")
			.header(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS, HttpHeaders.CONTENT_TYPE);
	}

}
