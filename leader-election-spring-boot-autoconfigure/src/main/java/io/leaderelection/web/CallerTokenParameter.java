package io.leaderelection.web;

import java.util.List;
import java.util.Optional;

import io.leaderelection.FencingToken;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * What a {@link CallerToken} parameter asks for.
 */
record CallerTokenParameter(MethodParameter parameter, String election, boolean required, boolean check) {

	static boolean is(MethodParameter parameter) {
		return annotation(parameter).isPresent();
	}

	static CallerTokenParameter of(MethodParameter parameter, ConfigurableBeanFactory beanFactory) {
		if (parameter.nestedIfOptional().getNestedParameterType() != FencingToken.class) {
			throw new IllegalStateException("@CallerToken is for parameters of the type FencingToken or "
					+ "Optional<FencingToken>, but stands on %s".formatted(describe(parameter)));
		}
		MergedAnnotation<CallerToken> annotation = annotation(parameter);
		String election = beanFactory.resolveEmbeddedValue(annotation.getString("election"));
		return new CallerTokenParameter(parameter, (election != null) ? election : "",
				annotation.getBoolean("required") && !parameter.isOptional(), annotation.getBoolean("check"));
	}

	static String describe(MethodParameter parameter) {
		return "parameter %d of %s.%s".formatted(parameter.getParameterIndex(),
				parameter.getContainingClass().getName(), parameter.getExecutable().getName());
	}

	private static MergedAnnotation<CallerToken> annotation(MethodParameter parameter) {
		return MergedAnnotations.from(parameter.getParameterAnnotations()).get(CallerToken.class);
	}

	Optional<FencingToken> read(CallerTokens tokens, List<String> values) {
		Optional<FencingToken> token = tokens.read(values, this.election);
		if (token.isEmpty() && this.required) {
			throw CallerTokenException.missing(tokens.header());
		}
		return token;
	}

	@Nullable Object argument(Optional<FencingToken> token) {
		return (this.parameter.getParameterType() == Optional.class) ? token : token.orElse(null);
	}

}
