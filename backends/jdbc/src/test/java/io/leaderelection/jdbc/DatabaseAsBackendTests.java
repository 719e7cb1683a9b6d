package io.leaderelection.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;

import javax.sql.DataSource;

import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which databases can be the backend: not one that no other instance can reach.
 */
@ExtendWith(OutputCaptureExtension.class)
class DatabaseAsBackendTests {

	private static final String PRIVATE_DATABASE = UUID.randomUUID().toString();

	@TempDir
	static Path files;

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(JdbcLeaderElectionAutoConfiguration.class, LeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.auto-startup=false", "leader-election.jdbc.initialize-schema=always");

	@Test
	void aDatabaseInMemoryIsNotUsedUnlessConfigured() {
		this.application.withUserConfiguration(PrivateDatabaseUser.class).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context).getFailure()
				.rootCause()
				.asInstanceOf(InstanceOfAssertFactories.type(UnusableDatabaseException.class))
				.satisfies((failure) -> {
					assertThat(failure.getProblem())
						.isEqualTo("Leader election has no backend: the only possible one is "
								+ "jdbc, and its database jdbc:h2:mem:" + PRIVATE_DATABASE
								+ " is in the memory of this application alone, so that every instance would lead");
					assertThat(failure.getAction()).contains("leader-election.backend=jdbc",
							"leader-election.backend=local", "leader-election.enabled=false");
				});
		});
	}

	@Test
	void aDatabaseInMemoryIsUsedWhenConfiguredAndWarnsOfIt(CapturedOutput output) {
		this.application.withUserConfiguration(PrivateDatabaseUser.class)
			.withPropertyValues("leader-election.backend=jdbc")
			.run((context) -> {
				assertThat(context).getBean(LeaderElectionBackend.class)
					.extracting(LeaderElectionBackend::name)
					.isEqualTo("jdbc");
				assertThat(output).contains("WARN")
					.containsOnlyOnce("the database jdbc:h2:mem:" + PRIVATE_DATABASE
							+ " is in the memory of this application alone: every instance of it leads");
			});
	}

	@Test
	void aDatabaseInTheMemoryOfAServerIsSharedAndUsed(CapturedOutput output) throws SQLException {
		Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		try {
			this.application.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
				.withPropertyValues("spring.datasource.url=jdbc:h2:tcp://localhost:%d/mem:%s;DB_CLOSE_DELAY=-1"
					.formatted(server.getPort(), UUID.randomUUID()))
				.run((context) -> {
					assertThat(context).getBean(LeaderElectionBackend.class)
						.extracting(LeaderElectionBackend::name)
						.isEqualTo("jdbc");
					assertThat(output).doesNotContain("every instance");
				});
		}
		finally {
			server.stop();
		}
	}

	@Test
	void theSecondDataSourceCountsIfTheElectionsHaveOneOfTheirOwn() {
		this.application.withUserConfiguration(OwnDatabaseUser.class)
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("jdbc"));
	}

	@Test
	void aDatabaseThatIsDownMayComeUp() {
		this.application.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:tcp://localhost:1/mem:x",
					"spring.datasource.hikari.connection-timeout=250", "leader-election.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("jdbc"));
	}

	@Configuration(proxyBeanMethods = false)
	static class PrivateDatabaseUser {

		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(PRIVATE_DATABASE));
			return dataSource;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDatabaseUser extends PrivateDatabaseUser {

		@Bean(defaultCandidate = false)
		@LeaderElectionDataSource
		DataSource ownDataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:file:" + files.resolve(UUID.randomUUID().toString()));
			return dataSource;
		}

	}

}
