package io.leaderelection.web;

import java.util.Optional;

import org.springframework.core.MethodParameter;

/**
 * Knows to which election a {@code FencingToken} or {@code Leadership} parameter of a
 * handler belongs. Beans of this type are asked in their order, after a
 * {@code @Qualifier} on the parameter itself, and before the only election or the one
 * named "default" is taken.
 */
public interface HandlerElectionResolver {

	/**
	 * The election of a parameter.
	 * @param parameter the parameter of the handler
	 * @return the name of the election; empty if this strategy does not know
	 */
	Optional<String> election(MethodParameter parameter);

	/**
	 * Whether advice around the handler decides what happens on a node that does not
	 * lead, and fills in the token of the leadership that it has begun. Then the handler
	 * is called with {@code null} for a token that this node does not have, instead of
	 * not at all.
	 * @param parameter the parameter of the handler
	 * @return whether the handler is guarded
	 */
	default boolean isGuarded(MethodParameter parameter) {
		return false;
	}

}
