package io.leaderelection.etcd;

import io.etcd.jetcd.ClientBuilder;

/**
 * Changes the client that elections use, before it is built. Not asked if the application
 * has a client of its own.
 */
@FunctionalInterface
public interface EtcdClientBuilderCustomizer {

	/**
	 * Changes the client.
	 * @param builder the client to be, as the properties make it
	 */
	void customize(ClientBuilder builder);

}
