package io.leaderelection.web;

import java.util.Optional;

import io.leaderelection.NotLeaderException;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Requests to Spring MVC on Tomcat.
 */
class WebMvcRequestTests extends RequestContract {

	WebMvcRequestTests() {
		super(Stack.MVC, Functional.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Functional {

		@Bean
		RouterFunction<ServerResponse> functional(CallerTokens tokens) {
			return RouterFunctions.route().GET("/functional/not-leader", (request) -> {
				throw new NotLeaderException("mails", Optional.empty());
			})
				.POST("/functional/write",
						(request) -> ServerResponse.ok()
							.body("written " + tokens.admit(request.headers().asHttpHeaders(), "functional")))
				.build();
		}

	}

}
