package io.leaderelection.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if a backend is selected: it is configured, or it is the only available one.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnBackendCondition.class)
public @interface ConditionalOnBackend {

	/**
	 * The name of the backend.
	 * @return the {@link LeaderElectionBackend#name() name}
	 */
	String value();

}
