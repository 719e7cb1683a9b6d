package io.leaderelection.jdbc;

import java.sql.DatabaseMetaData;

import javax.sql.DataSource;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.fencing.TransactionFence;
import io.leaderelection.jdbc.fence.FencedTransactionManagers;
import io.leaderelection.jdbc.fence.FencedTransactions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Fences in the databases of the application's transactions, wherever its elections live.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class },
		before = FencingAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({ JdbcOperations.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnBean({ LeaderElections.class, DataSource.class })
@EnableConfigurationProperties(JdbcLeaderElectionProperties.class)
public final class JdbcFenceAutoConfiguration {

	@Bean
	JdbcFences leaderElectionJdbcFences(JdbcLeaderElectionProperties properties, StaleTokens staleTokens,
			LeaderElections elections) {
		return new JdbcFences((dataSource) -> JdbcFence.on(dataSource)
			.tableName(properties.getTableName())
			.dialect(properties.getDialect())
			.queryTimeout(properties.getQueryTimeout())
			.reportTo(staleTokens)
			.leaseDuration((election) -> elections.find(election)
				.map((elector) -> elector.status().leaseDuration())
				.orElse(null))
			.build());
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(DataSource.class)
	JdbcFence leaderElectionJdbcFence(JdbcFences fences, DataSource dataSource) {
		return fences.of(dataSource);
	}

	/**
	 * Transactions that are fenced by themselves.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = FencedTransactionManagers.ENABLED, matchIfMissing = true)
	@ConditionalOnMissingBean(TransactionFence.class)
	@Import(DatabaseInitializationDependencyConfigurer.class)
	@ImportRuntimeHints(JdbcLeaderElectionAutoConfiguration.JdbcHints.class)
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
		StartupCheck leaderElectionStartupCheck() {
			return new StartupCheck();
		}

		/**
		 * The transactions that an application begins when it names no manager have to be
		 * fenced. Those of its other managers are fenced if possible, and logged if not.
		 */
		@Bean
		@DependsOnDatabaseInitialization
		SmartInitializingSingleton leaderElectionFenceCheck(JdbcFences fences, StartupCheck check,
				ObjectProvider<PlatformTransactionManager> transactionManager) {
			return () -> transactionManager.ifUnique((manager) -> require(fences, check, manager));
		}

		private static void require(JdbcFences fences, StartupCheck check, PlatformTransactionManager manager) {
			DataSource dataSource = FencedTransactionManagers.dataSource(manager);
			if (dataSource != null) {
				check.run(dataSource, "The table of the fence", fences.require(dataSource)::validate);
			}
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnSingleCandidate(DataSource.class)
		@Conditional(JdbcLeaderElectionAutoConfiguration.OnSchemaInitializationCondition.class)
		FenceSchemaInitializer leaderElectionFenceSchemaInitializer(DataSource dataSource,
				JdbcLeaderElectionProperties properties) {
			return new FenceSchemaInitializer(dataSource, properties);
		}

	}

	/**
	 * Creates the table of the fence alone, for an application whose elections live in
	 * another store. In mode {@code embedded}, it skips an unknown database.
	 */
	static final class FenceSchemaInitializer extends LeaderElectionSchemaInitializer {

		private static final Log logger = LogFactory.getLog(FenceSchemaInitializer.class);

		FenceSchemaInitializer(DataSource dataSource, JdbcLeaderElectionProperties properties) {
			super(dataSource, properties, JdbcLeaderElectionProperties.FENCE_SCHEMA_LOCATION,
					FenceSchemaInitializer::isSupported);
		}

		/** The start must not fail for want of a script that would not be run. */
		private static boolean isSupported(DataSource dataSource) {
			try {
				String product = JdbcUtils.extractDatabaseMetaData(dataSource,
						DatabaseMetaData::getDatabaseProductName);
				return JdbcDialect.ofProduct(product).isPresent() && EmbeddedDatabaseConnection.isEmbedded(dataSource);
			}
			catch (MetaDataAccessException ex) {
				logger.debug("The database does not say what it is", ex);
				return false;
			}
		}

	}

}
