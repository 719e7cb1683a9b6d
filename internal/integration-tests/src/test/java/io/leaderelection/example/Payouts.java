package io.leaderelection.example;

import io.leaderelection.annotation.LeaderOnly;
import jakarta.annotation.PostConstruct;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * An application's own code, for the examples.
 */
class Payouts {

	private final JdbcTemplate jdbc;

	Payouts(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@PostConstruct
	void createTable() {
		this.jdbc.execute("CREATE TABLE IF NOT EXISTS PAYOUT (ID INT)");
	}

	@LeaderOnly("payouts")
	@Transactional
	public void pay() {
		this.jdbc.update("INSERT INTO PAYOUT VALUES (1)");
	}

	@LeaderOnly("payouts")
	@Transactional
	public void pay(Runnable inBetween) {
		this.jdbc.update("INSERT INTO PAYOUT VALUES (1)");
		inBetween.run();
	}

	int paid() {
		Integer count = this.jdbc.queryForObject("SELECT COUNT(*) FROM PAYOUT", Integer.class);
		return (count != null) ? count : 0;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Payouts.class)
	static class Application {

	}

}
