package io.leaderelection.jdbc.fence;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.TestFences;
import io.leaderelection.nodes.Tenure;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What JPA has kept back is written before the epoch row is locked, since a transaction
 * that waits with the lock in hand may wait for one that wants it.
 */
class FlushBeforeTheCheckTests {

	private final H2Memory database = new H2Memory(";LOCK_TIMEOUT=10000");

	private final HikariDataSource pool = this.database.pool(4);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final ExecutorService threads = Executors.newFixedThreadPool(2);

	private final DataSourceFences fences = TestFences.of((builder) -> builder);

	private final LocalContainerEntityManagerFactoryBean factoryBean = new LocalContainerEntityManagerFactoryBean();

	private EntityManager entities;

	private JpaTransactionManager manager;

	@BeforeEach
	void prepare() {
		TestDatabase.createTables(this.pool, LeaseTables.DEFAULT);
		this.jdbc.execute("CREATE TABLE ACCOUNT (ID INT PRIMARY KEY, AMOUNT INT)");
		this.jdbc.update("INSERT INTO ACCOUNT VALUES (1, 0), (2, 0)");
		this.factoryBean.setDataSource(this.pool);
		this.factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.factoryBean.setManagedTypes(PersistenceManagedTypes.of(Account.class.getName()));
		this.factoryBean.afterPropertiesSet();
		EntityManagerFactory factory = this.factoryBean.getObject();
		this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
		this.manager = new JpaTransactionManager(factory);
		FencedTransactions fenced = new FencedTransactions(() -> this.fences);
		new FencedTransactionManagers(() -> fenced).postProcessAfterInitialization(this.manager, "jpa");
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.factoryBean.destroy();
		this.pool.close();
	}

	@Test
	void twoTransactionsOfOneLeaderDoNotWaitForEachOther() throws Exception {
		CountDownLatch written = new CountDownLatch(1);
		Future<?> first = this.threads.submit(() -> asLeader(() -> {
			change(1, 1);
			this.entities.flush();
			written.countDown();
			Awaitility.await().atMost(Duration.ofSeconds(8)).until(this::somebodyWaits);
		}));
		assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
		Future<?> second = this.threads.submit(() -> asLeader(() -> change(1, 2)));
		first.get(20, TimeUnit.SECONDS);
		second.get(20, TimeUnit.SECONDS);
		assertThat(amount(1)).isEqualTo(2);
	}

	@Test
	void whatIsToBeFlushedByHandIsNot() {
		asLeader(() -> {
			this.entities.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
			change(1, 1);
			this.entities.flush();
			change(2, 1);
		});
		assertThat(amount(1)).isOne();
		assertThat(amount(2)).isZero();
	}

	private void asLeader(Runnable work) {
		CurrentLeadership.set(new Tenure(new FencingToken("reports", 1)));
		try {
			new TransactionTemplate(this.manager).executeWithoutResult((status) -> work.run());
		}
		finally {
			CurrentLeadership.set(null);
		}
	}

	private void change(int id, int amount) {
		this.entities.find(Account.class, id).amount = amount;
	}

	private Integer amount(int id) {
		return this.jdbc.queryForObject("SELECT AMOUNT FROM ACCOUNT WHERE ID = ?", Integer.class, id);
	}

	private boolean somebodyWaits() {
		try (HikariDataSource own = this.database.pool(1)) {
			Integer waiting = new JdbcTemplate(own).queryForObject(
					"SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL", Integer.class);
			return waiting != null && waiting > 0;
		}
	}

	@Entity
	@Table(name = "ACCOUNT")
	static class Account {

		@Id
		private int id;

		private int amount;

	}

}
