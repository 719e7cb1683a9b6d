package io.leaderelection.web;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which addresses a list of hosts stands for.
 */
class TokenHostsTests {

	@ParameterizedTest
	@CsvSource({ "api.internal, http://api.internal/x", "api.internal, https://API.Internal:8443/",
			"API.internal, http://api.internal", "api.internal, http://api.internal.:80/",
			"api.internal., http://api.internal", "api.internal, http://user:secret@api.internal/",
			"api.internal:8080, http://api.internal:8080", "api.internal:80, http://api.internal",
			"api.internal:443, https://api.internal", "*.example.org, http://a.example.org",
			"*.example.org, http://a.b.example.org", "*.example.org:8080, http://a.example.org:8080",
			"[::1], http://[::1]:8080/", "[::1]:8080, http://[::1]:8080/", "10.0.0.1, http://10.0.0.1",
			"bücher.example, http://xn--bcher-kva.example" })
	void listed(String entry, URI uri) {
		assertThat(TokenHosts.of(List.of("other", entry), false).contains(uri)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "api.internal, http://api.internal.evil.example", "api.internal, http://xapi.internal",
			"api.internal, http://evil.example/api.internal", "api.internal, http://api.internal@evil.example",
			"api.internal, http://evil.example#api.internal", "api.internal, http://evil.example?api.internal",
			"api.internal, http://a.api.internal", "api.internal:8080, http://api.internal",
			"api.internal:8080, http://api.internal:8081", "api.internal:80, https://api.internal",
			"*.example.org, http://example.org", "*.example.org, http://badexample.org",
			"*.example.org, http://a.example.org.evil.example", "[::1], http://[::2]", "api.internal, /relative",
			"api.internal, mailto:a@api.internal", "api.internal, http:///path" })
	void notListed(String entry, URI uri) {
		assertThat(TokenHosts.of(List.of(entry), false).contains(uri)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "*", "*.", "**.example.org", "a.*.org", "*example.org", "http://api.internal",
			"api.internal/path", "api.internal:", "api.internal:0", "api.internal:65536", "api.internal:http",
			"user@api.internal", "api internal", ".internal", "a..b", "-a.b", "my_host", "[::1", "*.[::1]" })
	void notAHost(String entry) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> TokenHosts.of(List.of("api.internal", entry), false))
			.satisfies((refusal) -> {
				assertThat(refusal.getName()).isEqualTo("leader-election.web.client.token-hosts[1]");
				assertThat(refusal.getValue()).isEqualTo(entry);
			});
	}

	@Test
	void anEmptyListIsNobody() {
		assertThat(TokenHosts.of(List.of(), false).contains(URI.create("http://localhost"))).isFalse();
	}

}
