package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Optional;

import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/**
 * A technology that stores leases, and what it requires of the application. An
 * implementation is listed in {@code META-INF/spring.factories}. Its auto-configuration
 * is annotated with {@link ConditionalOnBackend @ConditionalOnBackend}, runs before
 * {@link LeaderElectionAutoConfiguration}, and defines a bean of this type and one of
 * type {@link io.leaderelection.store.LeaseStore}.
 */
public interface LeaderElectionBackend {

	/**
	 * The value of {@code leader-election.backend} that selects this backend.
	 * @return lower case letters and digits
	 */
	String name();

	/**
	 * The dependency to add if a required class is missing.
	 * @return its group and artifact
	 */
	String clientDependency();

	/**
	 * The classes that this backend cannot be used without.
	 * @return the names of the classes
	 */
	List<String> requiredClasses();

	/**
	 * The types of beans of which any one makes this backend available.
	 * @return the names of the classes, the most common one first; none if only
	 * {@link #property()} does
	 */
	List<String> beanTypes();

	/**
	 * The property that makes this backend available without a bean.
	 * @return its name; {@code null} if there is none
	 */
	default @Nullable String property() {
		return null;
	}

	/**
	 * Whether this backend is available without a bean or {@link #property()}.
	 * @param environment the environment of the application
	 * @return what was detected, as a noun
	 */
	default Optional<String> detect(Environment environment) {
		return Optional.empty();
	}

	/**
	 * What the log and the actuator call the store that decides the elections.
	 * @param selected the backend in use
	 * @param stores the store in use
	 * @return the name of the backend, or the class of a store of the application
	 */
	static String describe(ObjectProvider<LeaderElectionBackend> selected, ObjectProvider<LeaseStore> stores) {
		LeaderElectionBackend backend = selected.getIfAvailable();
		if (backend != null) {
			return backend.name();
		}
		LeaseStore store = stores.getIfUnique();
		return (store != null) ? store.getClass().getName() : "a store of the application";
	}

}
