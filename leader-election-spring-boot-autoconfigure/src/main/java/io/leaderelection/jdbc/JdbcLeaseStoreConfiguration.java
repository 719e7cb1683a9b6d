package io.leaderelection.jdbc;

import javax.sql.DataSource;

import io.leaderelection.store.LeaseStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Leases in a relational database: the store, and its tables where they are to be
 * created. The tables are tried at start, after whatever creates them. A database that is
 * down may come up; a missing table will not come by itself. Of several databases none is
 * guessed, so no parameter has the name that Spring Boot gives to the one that it makes.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JdbcLeaderElectionProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(JdbcHints.class)
public class JdbcLeaseStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean(LeaseStore.class)
	@DependsOnDatabaseInitialization
	JdbcLeaseStore jdbcLeaseStore(@LeaderElectionDataSource ObjectProvider<DataSource> ownDataSource,
			ObjectProvider<DataSource> onlyDataSource, JdbcLeaderElectionProperties properties,
			ObjectProvider<JdbcLeaseStoreBuilderCustomizer> customizers,
			ObjectProvider<JdbcLeaseStoreInspector> inspectors, StartupCheck check) {
		DataSource database = ownDataSource.getIfAvailable(onlyDataSource::getObject);
		JdbcLeaseStore.Builder builder = JdbcLeaseStore.on(database)
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
		if (check.run(database, "The tables of the leader election", store::validate)) {
			inspectors.orderedStream().forEach((inspector) -> inspector.inspect(store));
		}
		return store;
	}

	@Bean
	@ConditionalOnMissingBean
	StartupCheck leaderElectionStartupCheck() {
		return new StartupCheck();
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnSchemaInitializationCondition.class)
	LeaderElectionSchemaInitializer leaderElectionSchemaInitializer(
			@LeaderElectionDataSource ObjectProvider<DataSource> ownDataSource,
			ObjectProvider<DataSource> onlyDataSource, JdbcLeaderElectionProperties properties) {
		return new LeaderElectionSchemaInitializer(ownDataSource.getIfAvailable(onlyDataSource::getObject), properties);
	}

}
