package io.leaderelection.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Keeps the text of each statement that is executed (a batch is one), and lets something
 * happen just before one of them.
 */
class ObservedDataSource extends DelegatingDataSource {

	private final List<String> executed = new CopyOnWriteArrayList<>();

	private String beginning = "";

	private Runnable action;

	ObservedDataSource(DataSource dataSource) {
		super(dataSource);
	}

	List<String> executed() {
		return this.executed;
	}

	/** The action is done once, before the first statement that begins so. */
	void before(String beginning, Runnable action) {
		this.beginning = beginning;
		this.action = action;
	}

	private void beforeStatement(String sql) {
		Runnable due = this.action;
		if (due != null && sql.startsWith(this.beginning)) {
			this.action = null;
			due.run();
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, connection, (name, arguments, result) -> {
			if (!name.equals("prepareStatement")) {
				return result;
			}
			beforeStatement((String) arguments[0]);
			return counting((PreparedStatement) result, (String) arguments[0]);
		});
	}

	private PreparedStatement counting(PreparedStatement statement, String sql) {
		return proxy(PreparedStatement.class, statement, (name, arguments, result) -> {
			if (name.startsWith("execute")) {
				this.executed.add(sql);
			}
			return result;
		});
	}

	private static <T> T proxy(Class<T> type, T target, Interception interception) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				try {
					return interception.after(method.getName(), arguments, method.invoke(target, arguments));
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

	private interface Interception {

		Object after(String name, Object[] arguments, Object result);

	}

}
