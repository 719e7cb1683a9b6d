package io.leaderelection.chaos.backend;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.chaos.history.Writes;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.servers.TcpProxy;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database, which has the register, too: its transactions are fenced at their commit.
 */
final class JdbcBackend implements Backend {

	private static final Pattern PORT = Pattern.compile(":(\\d+)/");

	private final TestDatabase database;

	private final String table;

	private final HikariDataSource pool;

	private final JdbcTemplate jdbc;

	private final List<String> properties;

	private final Set<FaultKind> spared = EnumSet.noneOf(FaultKind.class);

	private String remark = "the register is in the same database";

	JdbcBackend(TestDatabase database, String... properties) {
		this.database = database;
		this.table = database.createTables();
		this.pool = database.pool(1);
		this.jdbc = new JdbcTemplate(this.pool);
		this.properties = List.of(properties);
		this.jdbc.execute("DROP TABLE IF EXISTS REGISTER");
		this.jdbc.execute("DROP TABLE IF EXISTS REGISTER_SIZE");
		this.jdbc.execute("CREATE TABLE REGISTER (N BIGINT PRIMARY KEY, TOKEN BIGINT NOT NULL, PROCESS VARCHAR(100))");
		this.jdbc.execute("CREATE TABLE REGISTER_SIZE (N BIGINT NOT NULL)");
		this.jdbc.update("INSERT INTO REGISTER_SIZE VALUES (0)");
	}

	/**
	 * Spares nodes a kind of fault.
	 * @param kind which one
	 * @param remark says so
	 * @return this
	 */
	JdbcBackend without(FaultKind kind, String remark) {
		this.spared.add(kind);
		this.remark += "; " + remark;
		return this;
	}

	@Override
	public Set<FaultKind> spared() {
		return this.spared;
	}

	@Override
	public List<Integer> ports() {
		Matcher port = PORT.matcher(this.database.url());
		if (!port.find()) {
			throw new IllegalStateException(this.database.url());
		}
		return List.of(Integer.parseInt(port.group(1)));
	}

	@Override
	public List<String> properties(List<TcpProxy> links) {
		List<String> all = new ArrayList<>(this.properties);
		String url = PORT.matcher(this.database.url()).replaceFirst(":" + links.get(0).port() + "/");
		all.addAll(List.of("leader-election.backend=jdbc", "leader-election.jdbc.table-name=" + this.table,
				"spring.datasource.url=" + url, "spring.datasource.username=" + this.database.user(),
				"spring.datasource.password=" + this.database.password(), "chaos.register=jdbc"));
		return all;
	}

	@Override
	public Map<FaultKind, StoreFault> faults() {
		return Map.of(FaultKind.STORE_RESTART, this.database::restart, FaultKind.STORE_PAUSE,
				new Undone(this.database::pause, this.database::resume));
	}

	@Override
	public List<Writes> writes() {
		return this.jdbc.query("SELECT PROCESS, TOKEN, MIN(N), MAX(N), COUNT(*) FROM REGISTER GROUP BY PROCESS, TOKEN",
				(row, number) -> new Writes(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4),
						row.getLong(5)));
	}

	@Override
	public String description() {
		ConnectionCallback<String> versions = (connection) -> "%s %s; %s %s; %s".formatted(
				connection.getMetaData().getDatabaseProductName(), connection.getMetaData().getDatabaseProductVersion(),
				connection.getMetaData().getDriverName(), connection.getMetaData().getDriverVersion(), this.remark);
		return String.valueOf(this.jdbc.execute(versions));
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
