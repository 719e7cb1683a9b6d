package io.leaderelection.jdbc.fence;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.TestFences;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.nodes.Tenure;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which transactions are checked at their commit, for which tokens. The elections live in
 * memory; whoever replaces the leader raises the fence by hand.
 */
class FencedTransactionsTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final H2Memory database = new H2Memory();

	private final HikariDataSource pool = this.database.pool(3);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final LeaderElections elections = LeaderElections.on(this.store)
		.nodeId("node")
		.settings(ElectionSettings.ofLease(LEASE))
		.build();

	private final LeaderElector reports = this.elections.elector("reports");

	private final LeaderElector mails = this.elections.elector("mails");

	private final StaleTokens staleTokens = new StaleTokens(this.elections);

	private final FencedTransactions fenced = new FencedTransactions(this::fences);

	private final DataSourceFences fences = TestFences.of((builder) -> builder.reportTo(this.staleTokens));

	private final PlatformTransactionManager manager = fence(new DataSourceTransactionManager(this.pool), "main");

	private DataSourceFences fences() {
		return this.fences;
	}

	private <T extends PlatformTransactionManager> T fence(T manager, String name) {
		new FencedTransactionManagers(() -> this.fenced).postProcessAfterInitialization(manager, name);
		return manager;
	}

	@BeforeEach
	void lead() {
		TestDatabase.createTables(this.pool, LeaseTables.DEFAULT);
		this.jdbc.execute("CREATE TABLE RESULT (WRITER VARCHAR(20))");
		this.elections.start();
		Awaitility.await().until(() -> this.reports.isLeader() && this.mails.isLeader());
	}

	@AfterEach
	void stop() {
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
		this.elections.close();
		this.pool.close();
	}

	@Test
	void aLeadersTransactionIsCommitted() throws Exception {
		as(this.reports, () -> inTransaction((jdbc) -> write("leader")));
		assertThat(written()).containsExactly("leader");
		assertThat(epoch("reports")).isEqualTo(token(this.reports));
	}

	@Test
	void aFormerLeadersTransactionIsRolledBackAndReported() {
		assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> {
			write("former");
			replace("reports");
		})));
		assertThat(written()).isEmpty();
		assertThat(this.staleTokens.count()).isOne();
	}

	@Test
	void aDatabaseThatKeepsToItsSnapshotRefusesAndTheNodeLooksAtOnce() {
		FencingToken token = this.reports.fencingToken().orElseThrow();
		TransactionTemplate snapshot = template(TransactionDefinition.PROPAGATION_REQUIRED);
		snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> as(this.reports, () -> snapshot.executeWithoutResult((status) -> {
				write("former");
				assertThat(epoch("reports")).isEqualTo(token.value());
				replace("reports");
				LeaseView view = this.store.read("reports").orElseThrow();
				this.store.release(List.of(new Lease("reports", view.holder().orElseThrow(), view.token(), LEASE)));
			})));
		assertThat(written()).isEmpty();
		assertThat(this.staleTokens.count()).isZero();
		// the next renewal would be ten seconds away
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.until(() -> this.reports.fencingToken().filter(token::equals).isEmpty());
	}

	@Test
	void aFormerLeadersTransactionIsNotBegun() {
		replace("reports");
		assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> {
			throw new AssertionError("begun");
		})));
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	@Test
	void whatANewLeaderReadsIsNotChangedByTheFormerOne() throws Exception {
		as(this.reports, () -> inTransaction((jdbc) -> assertThat(epoch("reports")).as("raised before the transaction")
			.isEqualTo(token(this.reports))));
	}

	@Test
	void othersAreNotFenced() {
		replace("reports");
		inTransaction((jdbc) -> write("nobody"));
		assertThat(written()).containsExactly("nobody");
	}

	@Test
	void aTransactionThatReadsOnlyIsNotFenced() throws Exception {
		replace("reports");
		TransactionTemplate readOnly = template(TransactionDefinition.PROPAGATION_REQUIRED);
		readOnly.setReadOnly(true);
		as(this.reports, () -> readOnly.executeWithoutResult((status) -> written()));
	}

	@Test
	void whatIsWrittenInTheLastMomentIsFencedToo() {
		assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					write("late");
					replace("reports");
				}

			});
		})));
		assertThat(written()).isEmpty();
	}

	@Test
	void workThatJoinsATransactionIsFenced() {
		assertRefused(() -> inTransaction((jdbc) -> as(this.reports, () -> {
			this.fenced.join(current());
			write("former");
			replace("reports");
		})));
		assertThat(written()).isEmpty();
	}

	@Test
	void allLeadershipsOfATransactionAreChecked() {
		for (LeaderElector replaced : List.of(this.reports, this.mails)) {
			// a leader whose token was rejected acquires a higher one
			Awaitility.await().until(() -> this.reports.isLeader() && this.mails.isLeader());
			assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> as(this.mails, () -> {
				this.fenced.join(current());
				write("former");
				replace(replaced.election());
			}))));
			assertThat(written()).isEmpty();
			this.jdbc.update("DELETE FROM LEADER_ELECTION_EPOCH");
		}
	}

	@Test
	void whatWasDoneUnderAnEarlierLeadershipOfTheSameNodeIsRefused() {
		assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> {
			write("former");
			this.fenced.join(new Tenure(new FencingToken("reports", token(this.reports) + 5)));
		})));
		assertThat(written()).isEmpty();
	}

	@Test
	void aTransactionOfItsOwnIsFencedOfItsOwn() {
		inTransaction((jdbc) -> {
			write("outer");
			assertRefused(() -> as(this.reports,
					() -> template(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((status) -> {
						write("inner");
						replace("reports");
					})));
		});
		assertThat(written()).containsExactly("outer");
	}

	@Test
	void anInnerTransactionDoesNotEndTheFencingOfTheOuterOne() {
		assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> {
			write("outer");
			template(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((status) -> write("inner"));
			replace("reports");
		})));
		assertThat(written()).containsExactly("inner");
	}

	@Test
	void aSuspendedTransactionIsNotJoined() {
		inTransaction((jdbc) -> {
			write("outer");
			TransactionTemplate without = template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
			without.executeWithoutResult((status) -> as(this.reports, () -> {
				this.fenced.join(current());
				replace("reports");
			}));
		});
		assertThat(written()).containsExactly("outer");
	}

	@Test
	void aSavepointIsPartOfItsTransaction() {
		assertRefused(() -> inTransaction((jdbc) -> as(this.reports,
				() -> template(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((status) -> {
					write("former");
					replace("reports");
				}))));
		assertThat(written()).isEmpty();
	}

	@Test
	void aTransactionOfAnotherManagerWithinIsFencedToo() {
		H2Memory other = new H2Memory();
		try (HikariDataSource otherPool = other.pool(2)) {
			TestDatabase.createTables(otherPool, LeaseTables.DEFAULT);
			JdbcTemplate otherJdbc = new JdbcTemplate(otherPool);
			otherJdbc.execute("CREATE TABLE RESULT (WRITER VARCHAR(20))");
			TransactionTemplate inner = new TransactionTemplate(
					fence(new DataSourceTransactionManager(otherPool), "other"));
			assertRefused(() -> as(this.reports, () -> inTransaction((jdbc) -> inner.executeWithoutResult((status) -> {
				otherJdbc.update("INSERT INTO RESULT VALUES ('former')");
				JdbcFence.on(otherPool).build().announce(new FencingToken("reports", token(this.reports) + 1));
			}))));
			assertThat(otherJdbc.queryForList("SELECT WRITER FROM RESULT", String.class)).isEmpty();
		}
	}

	@Test
	void aManagerThatTakesNoListenersIsFencedToo() {
		PlatformTransactionManager delegating = (PlatformTransactionManager) new FencedTransactionManagers(
				() -> this.fenced)
			.postProcessAfterInitialization(new Delegating(new DataSourceTransactionManager(this.pool)), "delegating");
		assertThat(delegating).isInstanceOf(Delegating.class);
		TransactionTemplate template = new TransactionTemplate(delegating);
		as(this.reports, () -> template.executeWithoutResult((status) -> write("leader")));
		assertRefused(() -> as(this.reports, () -> template.executeWithoutResult((status) -> {
			write("former");
			replace("reports");
		})));
		assertThat(written()).containsExactly("leader");
	}

	@Test
	void aDatabaseThatIsDownBeginsNoTransaction() {
		this.pool.close();
		assertThatExceptionOfType(CannotCreateTransactionException.class)
			.isThrownBy(() -> as(this.reports, () -> inTransaction((jdbc) -> {
			})));
	}

	private static Leadership current() {
		return Leadership.current().orElseThrow();
	}

	private static void as(LeaderElector elector, Runnable work) {
		Callable<Boolean> callable = () -> {
			work.run();
			return true;
		};
		try {
			elector.executeAsLeader(callable);
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void assertRefused(Runnable work) {
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(work::run);
	}

	private void inTransaction(Consumer<JdbcTemplate> work) {
		template(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult((status) -> work.accept(this.jdbc));
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(this.manager);
		template.setPropagationBehavior(propagation);
		return template;
	}

	private void write(String writer) {
		this.jdbc.update("INSERT INTO RESULT VALUES (?)", writer);
	}

	private List<String> written() {
		return this.jdbc.queryForList("SELECT WRITER FROM RESULT", String.class);
	}

	/** What a newer leader of the election does, elsewhere. */
	private void replace(String election) {
		JdbcFence elsewhere = JdbcFence.on(this.pool).build();
		elsewhere.announce(new FencingToken(election, token(this.elections.elector(election)) + 1));
	}

	private static long token(LeaderElector elector) {
		return elector.fencingToken().orElseThrow().value();
	}

	private long epoch(String election) {
		Long token = this.jdbc.queryForObject("SELECT TOKEN FROM LEADER_ELECTION_EPOCH WHERE ELECTION = ?", Long.class,
				election);
		return (token != null) ? token : -1;
	}

	/** As tracing and chaining ones are. */
	static class Delegating implements PlatformTransactionManager {

		private final PlatformTransactionManager delegate;

		Delegating(PlatformTransactionManager delegate) {
			this.delegate = delegate;
		}

		@Override
		public TransactionStatus getTransaction(TransactionDefinition definition) {
			return this.delegate.getTransaction(definition);
		}

		@Override
		public void commit(TransactionStatus status) {
			this.delegate.commit(status);
		}

		@Override
		public void rollback(TransactionStatus status) {
			this.delegate.rollback(status);
		}

	}

}
