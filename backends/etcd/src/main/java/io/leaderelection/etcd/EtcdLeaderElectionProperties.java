package io.leaderelection.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of elections in etcd.
 */
@ConfigurationProperties("leader-election.etcd")
class EtcdLeaderElectionProperties {

	/**
	 * Addresses of the servers, such as http://localhost:2379. Not needed if the
	 * application has a client of its own.
	 */
	private List<String> endpoints = new ArrayList<>();

	/**
	 * What all keys of elections begin with.
	 */
	private String prefix = "/leader-election";

	/**
	 * User to log in as.
	 */
	private @Nullable String user;

	/**
	 * Password of the user.
	 */
	private @Nullable String password;

	/**
	 * How long to wait for a connection. By default, five seconds.
	 */
	private @Nullable Duration connectTimeout;

	private final Ssl ssl = new Ssl();

	public List<String> getEndpoints() {
		return this.endpoints;
	}

	public void setEndpoints(List<String> endpoints) {
		this.endpoints = endpoints;
	}

	public String getPrefix() {
		return this.prefix;
	}

	public void setPrefix(String prefix) {
		this.prefix = prefix;
	}

	public @Nullable String getUser() {
		return this.user;
	}

	public void setUser(@Nullable String user) {
		this.user = user;
	}

	public @Nullable String getPassword() {
		return this.password;
	}

	public void setPassword(@Nullable String password) {
		this.password = password;
	}

	public @Nullable Duration getConnectTimeout() {
		return this.connectTimeout;
	}

	public void setConnectTimeout(@Nullable Duration connectTimeout) {
		this.connectTimeout = connectTimeout;
	}

	public Ssl getSsl() {
		return this.ssl;
	}

	/**
	 * How servers with https addresses are trusted, and how this application shows them
	 * who it is.
	 */
	public static class Ssl {

		/**
		 * SSL bundle with the authority of the servers and, if they ask for one, the
		 * certificate of this application. By default, what Java trusts.
		 */
		private @Nullable String bundle;

		public @Nullable String getBundle() {
			return this.bundle;
		}

		public void setBundle(@Nullable String bundle) {
			this.bundle = bundle;
		}

	}

}
