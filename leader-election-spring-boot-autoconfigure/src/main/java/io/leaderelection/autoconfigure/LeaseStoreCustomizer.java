package io.leaderelection.autoconfigure;

import io.leaderelection.store.LeaseStore;

/**
 * Wraps the store that the elections use, whichever it is: to measure it, or to let it
 * fail in a test. The {@link LeaseStore} bean itself stays as it is.
 */
@FunctionalInterface
public interface LeaseStoreCustomizer {

	/**
	 * Wraps the store.
	 * @param store the store, or what an earlier customizer has made of it
	 * @return what the elections shall use
	 */
	LeaseStore customize(LeaseStore store);

}
