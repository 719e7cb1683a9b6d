package io.leaderelection.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Optional;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * Adds the token of the leadership that the thread works under to the requests of a
 * {@code RestClient} or {@code RestTemplate}.
 */
final class TokenInterceptor implements ClientHttpRequestInterceptor {

	private static final int LONGEST_REFUSAL = 64 * 1024;

	private final SentTokens tokens;

	TokenInterceptor(SentTokens tokens) {
		this.tokens = tokens;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		String value = this.tokens.valueFor(request.getURI(), request.getHeaders(), CurrentLeadership.get());
		HttpRequest sent = (value != null) ? new WithHeader(request, this.tokens.header(), value) : request;
		ClientHttpResponse response = execution.execute(sent, body);
		try {
			return judge(sent, response);
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	private ClientHttpResponse judge(HttpRequest request, ClientHttpResponse response) throws IOException {
		HttpStatusCode status = response.getStatusCode();
		this.tokens.noteRedirect(request.getURI(), status, response.getHeaders().getLocation());
		if (!this.tokens.mayRefuse(status, response.getHeaders().getContentType())) {
			return response;
		}
		Optional<FencingToken> sent = this.tokens.tokenOf(request.getURI(), request.getHeaders());
		if (sent.isEmpty()) {
			return response;
		}
		InputStream rest = response.getBody();
		byte[] beginning = rest.readNBytes(LONGEST_REFUSAL);
		Optional<StaleLeaderException> refusal = this.tokens.refusal(sent.get(), beginning);
		if (refusal.isPresent()) {
			throw refusal.get();
		}
		return new Reread(response, new SequenceInputStream(new ByteArrayInputStream(beginning), rest));
	}

	/**
	 * A request with one header more, so that a retry begins with the original.
	 */
	private static final class WithHeader extends HttpRequestWrapper {

		private final HttpHeaders headers;

		WithHeader(HttpRequest request, String name, String value) {
			super(request);
			this.headers = new HttpHeaders();
			this.headers.addAll(request.getHeaders());
			this.headers.set(name, value);
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

	}

	/**
	 * A response whose body is there as if nobody had looked at it.
	 */
	private record Reread(ClientHttpResponse response, InputStream body) implements ClientHttpResponse {

		@Override
		public HttpStatusCode getStatusCode() throws IOException {
			return this.response.getStatusCode();
		}

		@Override
		public String getStatusText() throws IOException {
			return this.response.getStatusText();
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.response.getHeaders();
		}

		@Override
		public InputStream getBody() {
			return this.body;
		}

		@Override
		public void close() {
			this.response.close();
		}

	}

}
