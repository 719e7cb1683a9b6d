package io.leaderelection.jdbc;

import javax.sql.DataSource;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Leases in a relational database: the store, and its tables where they are to be
 * created. The tables are tried at start, after whatever creates them.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JdbcLeaderElectionProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(JdbcLeaseStoreConfiguration.ScriptHints.class)
public class JdbcLeaseStoreConfiguration {

	private static final Log logger = LogFactory.getLog(JdbcLeaseStoreConfiguration.class);

	@Bean
	@ConditionalOnMissingBean(LeaseStore.class)
	@DependsOnDatabaseInitialization
	JdbcLeaseStore jdbcLeaseStore(@LeaderElectionDataSource ObjectProvider<DataSource> ownDataSource,
			ObjectProvider<DataSource> dataSource, JdbcLeaderElectionProperties properties,
			ObjectProvider<JdbcLeaseStoreBuilderCustomizer> customizers) {
		JdbcLeaseStore.Builder builder = JdbcLeaseStore.on(ownDataSource.getIfAvailable(dataSource::getObject))
			.tableName(properties.getTableName())
			.dialect(properties.getDialect())
			.queryTimeout(properties.getQueryTimeout())
			.mode(properties.getMode())
			.takeoverDelay(properties.determineTakeoverDelay());
		if (!properties.isWakeUps()) {
			builder.withoutWakeUps();
		}
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		JdbcLeaseStore store = builder.build();
		validate(store);
		return store;
	}

	/** A database that is down may come up; a missing table will not come by itself. */
	private static void validate(JdbcLeaseStore store) {
		try {
			store.validate();
		}
		catch (UnusableDatabaseException ex) {
			throw ex;
		}
		catch (LeaseStoreException ex) {
			logger.warn("The tables of the leader election could not be checked: " + ex.getMessage());
		}
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnLeaderElectionDatabaseInitializationCondition.class)
	LeaderElectionSchemaInitializer leaderElectionSchemaInitializer(
			@LeaderElectionDataSource ObjectProvider<DataSource> ownDataSource, ObjectProvider<DataSource> dataSource,
			JdbcLeaderElectionProperties properties) {
		return new LeaderElectionSchemaInitializer(ownDataSource.getIfAvailable(dataSource::getObject), properties);
	}

	static class OnLeaderElectionDatabaseInitializationCondition extends OnDatabaseInitializationCondition {

		OnLeaderElectionDatabaseInitializationCondition() {
			super("Leader Election", "leader-election.jdbc.initialize-schema");
		}

	}

	static class ScriptHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/leaderelection/jdbc/schemas/*/*.sql");
			// without it, there would be neither wake-ups nor sessions
			hints.reflection().registerTypeIfPresent(classLoader, WakeUpSource.DRIVER);
		}

	}

}
