package io.leaderelection.jdbc;

import javax.sql.DataSource;

import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.fencing.TransactionFence;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Fences in the databases of the application's transactions, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(JdbcLeaderElectionProperties.class)
public class JdbcFenceConfiguration {

	static final String ENABLED = "leader-election.fencing.jdbc.enabled";

	@Bean
	JdbcFences leaderElectionJdbcFences(JdbcLeaderElectionProperties properties,
			StaleTokens leaderElectionStaleTokens) {
		return new JdbcFences((dataSource) -> JdbcFence.on(dataSource)
			.tableName(properties.getTableName())
			.dialect(properties.getDialect())
			.queryTimeout(properties.getQueryTimeout())
			.reportTo(leaderElectionStaleTokens)
			.build());
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(DataSource.class)
	JdbcFence leaderElectionJdbcFence(JdbcFences leaderElectionJdbcFences, DataSource dataSource) {
		return leaderElectionJdbcFences.of(dataSource);
	}

	/**
	 * Transactions that are fenced by themselves.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
	@ConditionalOnMissingBean(TransactionFence.class)
	@Import(DatabaseInitializationDependencyConfigurer.class)
	@ImportRuntimeHints(JdbcHints.class)
	static class AtCommit {

		@Bean
		static FencedTransactionManagers leaderElectionFencedTransactionManagers(
				ObjectProvider<FencedTransactions> transactions) {
			return new FencedTransactionManagers(transactions::getObject);
		}

		@Bean
		FencedTransactions leaderElectionTransactionFence(ObjectProvider<JdbcFences> leaderElectionJdbcFences) {
			return new FencedTransactions(SingletonSupplier.of(leaderElectionJdbcFences::getObject));
		}

		/** Those of the leases, if they are in a database, too. */
		@Bean
		@ConditionalOnMissingBean
		StartChecks leaderElectionStartChecks(JdbcLeaderElectionProperties properties) {
			return new StartChecks(properties.getCheckTimeout());
		}

		/**
		 * The transactions that an application begins when it names no manager have to be
		 * fenced. Those of its other managers are if they can, and it is said if not.
		 */
		@Bean
		@DependsOnDatabaseInitialization
		SmartInitializingSingleton leaderElectionFenceCheck(JdbcFences leaderElectionJdbcFences,
				StartChecks leaderElectionStartChecks, ObjectProvider<PlatformTransactionManager> transactionManager) {
			return () -> transactionManager
				.ifUnique((manager) -> require(leaderElectionJdbcFences, leaderElectionStartChecks, manager));
		}

		private static void require(JdbcFences fences, StartChecks checks, PlatformTransactionManager manager) {
			DataSource dataSource = FencingListener.dataSource(manager);
			if (dataSource != null) {
				checks.begin(dataSource, "The table of the fence", fences.require(dataSource)::validate, () -> {
				});
			}
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnSingleCandidate(DataSource.class)
		@Conditional(OnSchemaInitializationCondition.class)
		FenceSchemaInitializer leaderElectionFenceSchemaInitializer(DataSource dataSource,
				JdbcLeaderElectionProperties properties) {
			return new FenceSchemaInitializer(dataSource, properties);
		}

	}

}
