package io.leaderelection.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How elections are kept in Redis. Where Redis is, {@code spring.data.redis.*} says.
 */
@ConfigurationProperties("leader-election.redis")
class RedisLeaderElectionProperties {

	/**
	 * What all keys begin with, in braces. Nodes that elect among themselves have the
	 * same.
	 */
	private String keyPrefix = RedisLeaseStore.DEFAULT_KEY_PREFIX;

	/**
	 * Whether to grant no lease for the length of one after the server's replication id
	 * has changed, since a promoted replica may have missed the last one. Needs the right
	 * to run INFO.
	 */
	private boolean detectFailover = true;

	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	public boolean isDetectFailover() {
		return this.detectFailover;
	}

	public void setDetectFailover(boolean detectFailover) {
		this.detectFailover = detectFailover;
	}

}
