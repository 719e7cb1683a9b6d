package io.leaderelection.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when a backend is the one to use.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnBackendCondition.class)
@interface ConditionalOnBackend {

	/**
	 * The backend.
	 * @return the backend
	 */
	Backend value();

}
