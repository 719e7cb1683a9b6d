package io.leaderelection.web;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Marks a {@code FencingToken} parameter of a handler as the token that the caller sent
 * in its request. It is read from the header, and refused if the request fence has seen a
 * higher one of the same election.
 *
 * <p>
 * The check comes before the handler: a request that has passed it may still be at work
 * when one with a higher token comes. Where that matters, check the token once more where
 * the write is decided, in its transaction or under its lock.
 */
@Documented
@Target({ ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
public @interface CallerToken {

	/**
	 * Alias for {@link #election()}.
	 * @return the name of the election
	 */
	@AliasFor("election")
	String value() default "";

	/**
	 * The election that the token must belong to; placeholders are resolved. Empty for
	 * any, which lets every caller name elections of its own.
	 * @return the name of the election
	 */
	@AliasFor("value")
	String election() default "";

	/**
	 * Whether a request without a token is refused. Otherwise the handler gets
	 * {@code null}. A parameter that is {@code Optional} or nullable is not required
	 * either.
	 * @return whether there must be a token
	 */
	boolean required() default true;

	/**
	 * Whether the request fence is asked. If not, the handler checks the token itself.
	 * @return whether to check the token
	 */
	boolean check() default true;

}
