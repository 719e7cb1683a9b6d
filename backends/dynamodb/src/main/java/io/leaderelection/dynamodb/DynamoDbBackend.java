package io.leaderelection.dynamodb;

import java.util.List;

import io.leaderelection.autoconfigure.LeaderElectionBackend;

/**
 * What the DynamoDB backend requires of the application.
 */
final class DynamoDbBackend implements LeaderElectionBackend {

	@Override
	public String name() {
		return "dynamodb";
	}

	@Override
	public String clientDependency() {
		return "software.amazon.awssdk:dynamodb";
	}

	@Override
	public List<String> requiredClasses() {
		return List.of("software.amazon.awssdk.services.dynamodb.DynamoDbClient");
	}

	@Override
	public List<String> beanTypes() {
		return List.of("software.amazon.awssdk.services.dynamodb.DynamoDbClient");
	}

	@Override
	public String property() {
		return "leader-election.dynamodb.region";
	}

}
