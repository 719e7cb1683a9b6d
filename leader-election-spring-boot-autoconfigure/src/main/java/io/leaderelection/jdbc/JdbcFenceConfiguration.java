package io.leaderelection.jdbc;

import java.util.List;

import javax.sql.DataSource;

import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.fencing.TransactionFence;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Fences in the databases of the application's transactions, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JdbcLeaderElectionProperties.class)
public class JdbcFenceConfiguration {

	static final String ENABLED = "leader-election.fencing.jdbc.enabled";

	@Bean
	JdbcFences leaderElectionJdbcFences(JdbcLeaderElectionProperties properties, StaleTokens staleTokens) {
		return new JdbcFences((dataSource) -> JdbcFence.on(dataSource)
			.tableName(properties.getTableName())
			.dialect(properties.getDialect())
			.queryTimeout(properties.getQueryTimeout())
			.reportTo(staleTokens)
			.build());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(DataSource.class)
	JdbcFence leaderElectionJdbcFence(JdbcFences fences, DataSource dataSource) {
		return fences.of(dataSource);
	}

	/**
	 * Transactions that are fenced by themselves.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
	@ConditionalOnMissingBean(TransactionFence.class)
	@Import(DatabaseInitializationDependencyConfigurer.class)
	@ImportRuntimeHints(TransactionManagerHints.class)
	static class AtCommit {

		@Bean
		static FencedTransactionManagers leaderElectionFencedTransactionManagers(
				ObjectProvider<FencedTransactions> transactions) {
			return new FencedTransactionManagers(transactions::getObject);
		}

		@Bean
		FencedTransactions leaderElectionTransactionFence(ObjectProvider<JdbcFences> fences) {
			return new FencedTransactions(SingletonSupplier.of(fences::getObject));
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
		SmartInitializingSingleton leaderElectionFenceCheck(JdbcFences fences, StartChecks checks,
				ObjectProvider<PlatformTransactionManager> transactionManager) {
			return () -> transactionManager.ifUnique((manager) -> require(fences, checks, manager));
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
		@Conditional(OnFenceInitializationCondition.class)
		FenceSchemaInitializer leaderElectionFenceSchemaInitializer(DataSource dataSource,
				JdbcLeaderElectionProperties properties) {
			return new FenceSchemaInitializer(dataSource, properties);
		}

	}

	static class OnFenceInitializationCondition extends OnDatabaseInitializationCondition {

		OnFenceInitializationCondition() {
			super("Leader Election Fence", "leader-election.jdbc.initialize-schema");
		}

	}

	/** The managers that tell their data source by a method that no interface has. */
	static class TransactionManagerHints implements RuntimeHintsRegistrar {

		private static final List<String> MANAGERS = List.of("org.springframework.orm.jpa.JpaTransactionManager",
				"org.springframework.orm.jpa.hibernate.HibernateTransactionManager");

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/leaderelection/jdbc/schemas/*/*.sql");
			for (String manager : MANAGERS) {
				if (ClassUtils.isPresent(manager, classLoader)) {
					hints.reflection()
						.registerType(TypeReference.of(manager),
								(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE));
				}
			}
		}

	}

}
