package io.leaderelection.web;

import java.util.function.BiFunction;

import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * The HTTP clients of Spring, as Spring Boot builds them.
 */
public enum Sender {

	REST_CLIENT((context, call) -> context.getBean(RestClient.Builder.class)
		.build()
		.method(call.method)
		.uri(call.uri)
		.headers((headers) -> headers.addAll(call.headers))
		.retrieve()
		.toEntity(String.class)),

	REST_TEMPLATE((context, call) -> context.getBean(RestTemplateBuilder.class)
		.build()
		.exchange(call.uri, call.method, new HttpEntity<>(call.headers), String.class)),

	WEB_CLIENT((context, call) -> context.getBean(WebClient.Builder.class)
		.build()
		.method(call.method)
		.uri(call.uri)
		.headers((headers) -> headers.addAll(call.headers))
		.retrieve()
		.toEntity(String.class)
		.block());

	private final BiFunction<ApplicationContext, Call, ResponseEntity<String>> exchange;

	Sender(BiFunction<ApplicationContext, Call, ResponseEntity<String>> exchange) {
		this.exchange = exchange;
	}

	public ResponseEntity<String> send(ApplicationContext context, HttpMethod method, String uri, String... headers) {
		HttpHeaders all = new HttpHeaders();
		for (int i = 0; i < headers.length; i += 2) {
			all.add(headers[i], headers[i + 1]);
		}
		return this.exchange.apply(context, new Call(method, uri, all));
	}

	public ResponseEntity<String> get(ApplicationContext context, String uri, String... headers) {
		return send(context, HttpMethod.GET, uri, headers);
	}

	/** Sends a request whose answer is an error, and says which. */
	public String failure(ApplicationContext context, String uri) {
		try {
			return "none: " + get(context, uri);
		}
		catch (HttpClientErrorException ex) {
			return ex.getStatusCode().value() + " " + ex.getResponseBodyAsString();
		}
		catch (WebClientResponseException ex) {
			return ex.getStatusCode().value() + " " + ex.getResponseBodyAsString();
		}
	}

	private record Call(HttpMethod method, String uri, HttpHeaders headers) {

	}

}
