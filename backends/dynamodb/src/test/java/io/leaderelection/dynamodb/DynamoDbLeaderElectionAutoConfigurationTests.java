package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.leaderelection.nodes.FailureAnalyses;
import io.leaderelection.servers.DynamoDbServer;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.store.Owner;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the application context makes of the properties, and of the table that it finds.
 */
class DynamoDbLeaderElectionAutoConfigurationTests {

	private final DynamoDbServer server = DynamoDbServer.get();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DynamoDbLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=dynamodb");

	private final ApplicationContextRunner withClient = this.contextRunner.withBean(DynamoDbClient.class,
			this.server::admin, (bean) -> bean.setDestroyMethodName(""));

	@Test
	void aRegionAndAnEndpointAreEnough() {
		this.contextRunner
			.withPropertyValues("leader-election.dynamodb.region=eu-central-1",
					"leader-election.dynamodb.endpoint=" + this.server.endpoint())
			.withSystemProperties("aws.accessKeyId=any", "aws.secretAccessKey=thing")
			.run((context) -> {
				assertThat(context).hasSingleBean(DynamoDbLeaseStore.class).doesNotHaveBean(DynamoDbClient.class);
				assertThat(grants(context.getBean(LeaseStore.class))).isTrue();
			});
	}

	@Test
	void theApplicationsOwnClientIsUsedAndItsSettingsAreItsOwn() {
		this.withClient.run((context) -> assertThat(grants(context.getBean(LeaseStore.class))).isTrue());
		this.withClient
			.withPropertyValues("leader-election.dynamodb.region=eu-central-1",
					"leader-election.dynamodb.endpoint=http://localhost:1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(DynamoDbLeaseStoreException.class)
				.hasMessageContaining("leader-election.dynamodb.region and leader-election.dynamodb.endpoint"));
		this.withClient
			.withBean("second", DynamoDbClient.class, this.server::admin, (bean) -> bean.setDestroyMethodName(""))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(DynamoDbLeaseStoreException.class)
				.hasMessageContaining("2 beans")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void aMissingTableEndsTheStart() {
		this.withClient.withPropertyValues("leader-election.dynamodb.table-name=no-such-table").run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription())
				.isEqualTo("There is no table 'no-such-table' in this region and " + "account.");
			assertThat(analysis.getAction()).contains("leader-election.dynamodb.initialize-table=always",
					"leader-election.dynamodb.table-name (now 'no-such-table')", "partition key 'id'");
		});
	}

	@Test
	void aMissingTableIsCreatedIfThatIsWanted() {
		String name = "created-" + UUID.randomUUID();
		this.withClient
			.withPropertyValues("leader-election.dynamodb.table-name=" + name,
					"leader-election.dynamodb.key-attribute=pk", "leader-election.dynamodb.initialize-table=always")
			.run((context) -> {
				assertThat(grants(context.getBean(LeaseStore.class))).isTrue();
				TableDescription table = this.server.admin()
					.describeTable((request) -> request.tableName(name))
					.table();
				assertThat(table.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
				assertThat(table.keySchema()).singleElement()
					.satisfies((key) -> assertThat(key.attributeName()).isEqualTo("pk"));
			});
	}

	@Test
	void aTableWithAnotherKeyEndsTheStart() {
		this.withClient.withPropertyValues("leader-election.dynamodb.key-attribute=pk").run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("'pk'", "id (HASH)");
			assertThat(analysis.getAction()).contains("leader-election.dynamodb.key-attribute (now 'pk')");
		});
		String numbers = "numbers-" + UUID.randomUUID();
		this.server.createTable(numbers, DynamoDbServer.KEY, ScalarAttributeType.N);
		this.withClient.withPropertyValues("leader-election.dynamodb.table-name=" + numbers)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction())
				.contains("type String"));
	}

	@Test
	void aGlobalTableIsRefused() {
		LeaseTable table = new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, "");
		TableDescription local = this.server.admin()
			.describeTable((request) -> request.tableName(DynamoDbServer.TABLE))
			.table();
		TableCheck check = new TableCheck(this.server.admin(), table);
		check.check(local);
		TableDescription global = local.toBuilder()
			.replicas(List.of(ReplicaDescription.builder().regionName("us-east-1").build()))
			.build();
		assertThatExceptionOfType(DynamoDbLeaseStoreException.class).isThrownBy(() -> check.check(global))
			.withMessageContaining("global table")
			.withMessageContaining("us-east-1")
			.withMessageContaining("leader-election.dynamodb.table-name");
	}

	@Test
	void aServerThatCannotBeReachedDoesNotEndTheStart() {
		try (DynamoDbClient nowhere = DynamoDbServer.connect(1)) {
			this.contextRunner.withBean(DynamoDbClient.class, () -> nowhere, (bean) -> bean.setDestroyMethodName(""))
				.run((context) -> {
					assertThat(context).hasSingleBean(DynamoDbLeaseStore.class);
					assertThatExceptionOfType(DynamoDbLeaseStoreException.class)
						.isThrownBy(() -> grants(context.getBean(LeaseStore.class)))
						.withMessageContaining("leader-election.dynamodb.endpoint");
				});
		}
	}

	@Test
	void impossibleValuesAreNamed() {
		assertRefused("table-name", "a b");
		assertRefused("key-attribute", "token");
		assertRefused("key-attribute", "");
		assertRefused("key-prefix", "x".repeat(101));
		this.contextRunner
			.withPropertyValues("leader-election.dynamodb.region=eu-central-1",
					"leader-election.dynamodb.endpoint=localhost")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leader-election.dynamodb.endpoint"));
	}

	private void assertRefused(String property, String value) {
		this.withClient.withPropertyValues("leader-election.dynamodb.%s=%s".formatted(property, value))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leader-election.dynamodb." + property));
	}

	@Test
	void aStoreOfTheApplicationIsKept() {
		this.contextRunner.withBean(InMemoryLeaseStore.class)
			.run((context) -> assertThat(context).hasSingleBean(LeaseStore.class)
				.hasSingleBean(InMemoryLeaseStore.class));
	}

	private static boolean grants(LeaseStore store) {
		Owner owner = new Owner("a", UUID.randomUUID().toString());
		return store
			.acquire(List.of(new AcquireRequest(UUID.randomUUID().toString(), owner, Duration.ofSeconds(3), 0, true)))
			.get(0) instanceof Granted;
	}

}
