package io.leaderelection.jdbc;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionHealthAutoConfiguration;
import io.leaderelection.nodes.TcpProxy;
import io.leaderelection.store.LeaseStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A database that accepts connections and says nothing, or says it too late.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class SilentDatabaseTests {

	private static final String TOO_LATE = "which its database has told too late to end the start";

	private final PostgresServer server = PostgresServer.shared();

	private final TcpProxy proxy = new TcpProxy(this.server::port);

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
				LeaderElectionAutoConfiguration.class, LeaderElectionHealthAutoConfiguration.class,
				FencingAutoConfiguration.class))
		.withBean(HikariDataSource.class, this::lazyPool)
		.withPropertyValues("leader-election.jdbc.table-name=NEVER_CREATED", "leader-election.lease-duration=2s",
				"leader-election.elections.reports=");

	@AfterEach
	void close() throws IOException {
		this.proxy.close();
	}

	@Test
	void whatIsMissingIsSaidAsSoonAsItIsKnown(CapturedOutput output) {
		this.proxy.swallow();
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("The tables of the leader election could not be checked")
				.contains("The table of the fence could not be checked")
				.doesNotContain(TOO_LATE);
			this.proxy.forward();
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				assertThat(errors(output)).hasSize(2)
					.allMatch((error) -> error.contains("leader-election.jdbc.initialize-schema=always"))
					.anyMatch((error) -> error.startsWith(". The tables of the leader election (NEVER_CREATED,"))
					.anyMatch((error) -> error.startsWith(". Transactions of leaders cannot be fenced"));
				Health health = context.getBean(HealthIndicator.class).health(true);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).asString()
					.contains("UnusableDatabaseException: The tables of the leader election (NEVER_CREATED,");
			});
		});
	}

	@Test
	void whatIsMissingEndsTheStartWhenItIsSaidInTime() {
		this.application.withPropertyValues("leader-election.jdbc.check-timeout=1m")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("\"never_created\" does not exist"));
	}

	@Test
	void aDatabaseThatIsDownIsAskedUntilItIsUp(CapturedOutput output) throws Exception {
		AtomicInteger asked = new AtomicInteger();
		try (StartChecks checks = new StartChecks(Duration.ofMinutes(1)); HikariDataSource pool = lazyPool()) {
			checks.begin(pool, "It", (heard) -> {
				if (asked.incrementAndGet() == 1) {
					throw new LeaseStoreException("down", null);
				}
				throw UnusableDatabaseException.unknownProduct("Paradox");
			}, () -> {
			});
			checks.start();
			assertThat(output).contains("It could not be checked: down");
			await().untilAsserted(() -> assertThat(errors(output)).singleElement().asString().contains("'Paradox'"));
		}
		assertThat(asked).hasValue(2);
	}

	@Test
	void whoIsMadeAfterTheStartHearsOfItAtOnce() {
		try (StartChecks checks = new StartChecks(Duration.ofMinutes(1)); HikariDataSource pool = lazyPool()) {
			checks.start();
			assertThatExceptionOfType(UnusableDatabaseException.class)
				.isThrownBy(() -> checks.begin(pool, "It", (heard) -> {
					throw UnusableDatabaseException.unknownProduct("Paradox");
				}, () -> {
				}));
		}
	}

	@Test
	void aDatabaseThatIsClosedIsNotAskedAgain() {
		CountDownLatch asked = new CountDownLatch(1);
		try (HikariDataSource pool = lazyPool()) {
			StartChecks checks = new StartChecks(Duration.ofMinutes(1));
			checks.begin(pool, "It", (heard) -> {
				asked.countDown();
				throw new LeaseStoreException("down", null);
			}, () -> {
			});
			checks.start();
			assertThat(asked.getCount()).isZero();
			checks.close();
			await().until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals("leader-election-check")));
		}
	}

	/** They may have several lines, since those of the database have. */
	private static List<String> errors(CapturedOutput output) {
		return Stream.of(output.getOut().split(TOO_LATE, -1)).skip(1).toList();
	}

	/** Connects when it is first asked for a connection. */
	private HikariDataSource lazyPool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:postgresql://localhost:%d/postgres".formatted(this.proxy.port()));
		pool.setUsername(this.server.user());
		pool.setPassword(this.server.password());
		return pool;
	}

}
