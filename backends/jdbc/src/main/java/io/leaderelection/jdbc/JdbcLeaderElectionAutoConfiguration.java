package io.leaderelection.jdbc;

import java.util.List;

import javax.sql.DataSource;

import io.leaderelection.autoconfigure.ConditionalOnBackend;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.jdbc.wakeup.WakeUpSource;
import io.leaderelection.store.LeaseStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.StringUtils;

/**
 * Leases in a relational database: the store, and its tables where they are to be
 * created. The tables are tried at start, after whatever creates them. A database that is
 * down may come up; a missing table will not come by itself. Of several databases none is
 * guessed, so no parameter has the name that Spring Boot gives to the one that it makes.
 */
@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({ JdbcOperations.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnBackend("jdbc")
@ConditionalOnMissingBean(LeaseStore.class)
@EnableConfigurationProperties(JdbcLeaderElectionProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(JdbcLeaderElectionAutoConfiguration.JdbcHints.class)
public final class JdbcLeaderElectionAutoConfiguration {

	private static final Log logger = LogFactory.getLog(JdbcLeaderElectionAutoConfiguration.class);

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new JdbcBackend();
	}

	@Bean
	@DependsOnDatabaseInitialization
	JdbcLeaseStore jdbcLeaseStore(@LeaderElectionDataSource ObjectProvider<DataSource> ownDataSource,
			ObjectProvider<DataSource> onlyDataSource, JdbcLeaderElectionProperties properties,
			ObjectProvider<JdbcLeaseStoreBuilderCustomizer> customizers, StartupCheck check, Environment environment) {
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
			store.privateDatabase().ifPresent((url) -> requireConfigured(url, environment));
		}
		return store;
	}

	/** Only the database itself knows where it is, so this is not a condition. */
	private static void requireConfigured(String url, Environment environment) {
		if (!StringUtils.hasText(environment.getProperty("leader-election.backend"))) {
			throw UnusableDatabaseException.privateDatabase(url);
		}
		logger.warn(("leader-election.backend is jdbc, and the database %s is in the memory of this application alone: "
				+ "every instance of it leads")
			.formatted(url));
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

	/**
	 * Matches if tables are to be created: those of the leases, or that of the fence.
	 */
	static class OnSchemaInitializationCondition extends OnDatabaseInitializationCondition {

		OnSchemaInitializationCondition() {
			super("Leader Election", "leader-election.jdbc.initialize-schema");
		}

	}

	/**
	 * Registers what a native image cannot see: the scripts, and types found by name.
	 */
	static class JdbcHints implements RuntimeHintsRegistrar {

		/** They return their data source from a method that no interface has. */
		private static final List<String> MANAGERS = List.of("org.springframework.orm.jpa.JpaTransactionManager",
				"org.springframework.orm.jpa.hibernate.HibernateTransactionManager");

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/leaderelection/jdbc/schemas/*/*.sql");
			// without it, there would be neither wake-ups nor sessions
			hints.reflection().registerTypeIfPresent(classLoader, WakeUpSource.DRIVER);
			for (String manager : MANAGERS) {
				hints.reflection()
					.registerTypeIfPresent(classLoader, manager,
							(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE));
			}
		}

	}

}
