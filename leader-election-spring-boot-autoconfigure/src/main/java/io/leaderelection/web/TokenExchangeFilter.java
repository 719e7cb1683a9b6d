package io.leaderelection.web;

import java.util.Optional;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.StaleLeaderException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Adds the token of the leadership that a reactive chain works under to the requests of a
 * {@code WebClient}.
 */
final class TokenExchangeFilter implements ExchangeFilterFunction {

	/** No more than a {@code WebClient} keeps of any body by default. */
	private static final int LONGEST_DOCUMENT = 256 * 1024;

	private final SentTokens tokens;

	TokenExchangeFilter(SentTokens tokens) {
		this.tokens = tokens;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return Mono.deferContextual((context) -> {
			String value = this.tokens.valueFor(request.url(), request.headers(),
					context.getOrDefault(Leadership.class, CurrentLeadership.get()));
			ClientRequest sent = (value != null)
					? ClientRequest.from(request).header(this.tokens.header(), value).build() : request;
			return next.exchange(sent).flatMap((response) -> judge(sent, response));
		});
	}

	private Mono<ClientResponse> judge(ClientRequest request, ClientResponse response) {
		this.tokens.noteRedirect(request.url(), response.statusCode(),
				response.headers().asHttpHeaders().getLocation());
		if (!this.tokens.mayRefuse(response.statusCode(), response.headers().contentType().orElse(null))) {
			return Mono.just(response);
		}
		Optional<FencingToken> sent = this.tokens.tokenOf(request.url(), request.headers());
		return sent.isPresent() ? judge(sent.get(), response) : Mono.just(response);
	}

	private Mono<ClientResponse> judge(FencingToken sent, ClientResponse response) {
		return DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), LONGEST_DOCUMENT)
			.map(TokenExchangeFilter::bytes)
			.defaultIfEmpty(new byte[0])
			.flatMap((body) -> {
				Optional<StaleLeaderException> refusal = this.tokens.refusal(sent, body);
				return refusal.isPresent() ? Mono.error(refusal.get()) : Mono.just(reread(response, body));
			});
	}

	private static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

	private static ClientResponse reread(ClientResponse response, byte[] body) {
		return response.mutate()
			.body(Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body))))
			.build();
	}

}
