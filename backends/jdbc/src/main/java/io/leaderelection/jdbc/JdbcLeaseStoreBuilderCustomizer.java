package io.leaderelection.jdbc;

/**
 * Takes part in the building of the {@link JdbcLeaseStore}, after the properties have
 * been applied.
 */
@FunctionalInterface
public interface JdbcLeaseStoreBuilderCustomizer {

	/**
	 * Changes the store to be.
	 * @param builder the builder
	 */
	void customize(JdbcLeaseStore.Builder builder);

}
