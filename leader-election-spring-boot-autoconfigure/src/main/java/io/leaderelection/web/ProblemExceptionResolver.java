package io.leaderelection.web;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.handler.AbstractHandlerExceptionResolver;

/**
 * Answers with a problem document in Spring MVC, whatever kind of handler it was, unless
 * the application has dealt with the exception itself.
 */
final class ProblemExceptionResolver extends AbstractHandlerExceptionResolver {

	private final LeaderElectionProblems problems;

	ProblemExceptionResolver(LeaderElectionProblems problems) {
		this.problems = problems;
		setOrder(Ordered.LOWEST_PRECEDENCE);
	}

	@Override
	protected @Nullable ModelAndView doResolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception failure) {
		if (response.isCommitted()) {
			return null;
		}
		return this.problems.of(failure, new ServletServerHttpRequest(request).getHeaders())
			.map((problem) -> write(problem, response))
			.orElse(null);
	}

	private @Nullable ModelAndView write(ErrorResponse problem, HttpServletResponse response) {
		try {
			byte[] document = ProblemJson.write(problem.getBody());
			response.resetBuffer();
			response.setStatus(problem.getStatusCode().value());
			problem.getHeaders().forEach((name, values) -> values.forEach((value) -> response.setHeader(name, value)));
			response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
			response.setContentLength(document.length);
			response.getOutputStream().write(document);
			response.flushBuffer();
			return new ModelAndView();
		}
		catch (IOException ex) {
			this.logger.warn("The answer %s could not be written".formatted(problem.getBody()), ex);
			return null;
		}
	}

}
