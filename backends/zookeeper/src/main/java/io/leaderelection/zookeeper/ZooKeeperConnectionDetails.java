package io.leaderelection.zookeeper;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where ZooKeeper is.
 */
public interface ZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * The servers, as ZooKeeper's client takes them.
	 * @return host and port of each server, separated by commas
	 */
	String getConnectString();

}
