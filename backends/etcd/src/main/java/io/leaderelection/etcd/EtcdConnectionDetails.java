package io.leaderelection.etcd;

import java.util.List;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where etcd is.
 */
public interface EtcdConnectionDetails extends ConnectionDetails {

	/**
	 * The servers.
	 * @return the address of each, such as {@code http://localhost:2379}
	 */
	List<String> getEndpoints();

}
