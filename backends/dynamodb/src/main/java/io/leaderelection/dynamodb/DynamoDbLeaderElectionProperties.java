package io.leaderelection.dynamodb;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of elections in DynamoDB.
 */
@ConfigurationProperties("leader-election.dynamodb")
class DynamoDbLeaderElectionProperties {

	/**
	 * Name of the table. All nodes use the same one, in the same region.
	 */
	private String tableName = "leader-election";

	/**
	 * Name of the table's partition key, which is a string. There is no sort key.
	 */
	private String keyAttribute = "id";

	/**
	 * What all keys of elections begin with. Nothing by default.
	 */
	private String keyPrefix = "";

	/**
	 * Region of the table. Not needed if the application has a client of its own.
	 */
	private @Nullable String region;

	/**
	 * Address to use in place of the region's, such as that of DynamoDB Local.
	 */
	private @Nullable URI endpoint;

	/**
	 * Whether to create the table, billed by request, if there is none.
	 */
	private InitializeTable initializeTable = InitializeTable.NEVER;

	public String getTableName() {
		return this.tableName;
	}

	public void setTableName(String tableName) {
		this.tableName = tableName;
	}

	public String getKeyAttribute() {
		return this.keyAttribute;
	}

	public void setKeyAttribute(String keyAttribute) {
		this.keyAttribute = keyAttribute;
	}

	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	public @Nullable String getRegion() {
		return this.region;
	}

	public void setRegion(@Nullable String region) {
		this.region = region;
	}

	public @Nullable URI getEndpoint() {
		return this.endpoint;
	}

	public void setEndpoint(@Nullable URI endpoint) {
		this.endpoint = endpoint;
	}

	public InitializeTable getInitializeTable() {
		return this.initializeTable;
	}

	public void setInitializeTable(InitializeTable initializeTable) {
		this.initializeTable = initializeTable;
	}

	/**
	 * When the table is created.
	 */
	public enum InitializeTable {

		/** At start, if there is none. */
		ALWAYS,

		/** By somebody else. */
		NEVER

	}

}
