package io.leaderelection.zookeeper;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of elections in ZooKeeper.
 */
@ConfigurationProperties("leader-election.zookeeper")
class ZooKeeperLeaderElectionProperties {

	/**
	 * Host and port of each server, separated by commas. Not needed if the application
	 * has a CuratorFramework of its own.
	 */
	private @Nullable String connectString;

	/**
	 * Node that all elections are kept under.
	 */
	private String rootPath = "/leader-election";

	/**
	 * How long a session outlives its connection. By default, one and a half times the
	 * longest lease duration.
	 */
	private @Nullable Duration sessionTimeout;

	/**
	 * How long to wait for a connection. By default, five seconds.
	 */
	private @Nullable Duration connectionTimeout;

	private final Auth auth = new Auth();

	public @Nullable String getConnectString() {
		return this.connectString;
	}

	public void setConnectString(@Nullable String connectString) {
		this.connectString = connectString;
	}

	public String getRootPath() {
		return this.rootPath;
	}

	public void setRootPath(String rootPath) {
		this.rootPath = rootPath;
	}

	public @Nullable Duration getSessionTimeout() {
		return this.sessionTimeout;
	}

	public void setSessionTimeout(@Nullable Duration sessionTimeout) {
		this.sessionTimeout = sessionTimeout;
	}

	public @Nullable Duration getConnectionTimeout() {
		return this.connectionTimeout;
	}

	public void setConnectionTimeout(@Nullable Duration connectionTimeout) {
		this.connectionTimeout = connectionTimeout;
	}

	public Auth getAuth() {
		return this.auth;
	}

	/**
	 * Who this application is to ZooKeeper.
	 */
	public static class Auth {

		/**
		 * Authentication scheme.
		 */
		private String scheme = "digest";

		/**
		 * Credentials of the scheme, such as user:password. If set, nodes are created so
		 * that only their creator has access.
		 */
		private @Nullable String credentials;

		public String getScheme() {
			return this.scheme;
		}

		public void setScheme(String scheme) {
			this.scheme = scheme;
		}

		public @Nullable String getCredentials() {
			return this.credentials;
		}

		public void setCredentials(@Nullable String credentials) {
			this.credentials = credentials;
		}

	}

}
