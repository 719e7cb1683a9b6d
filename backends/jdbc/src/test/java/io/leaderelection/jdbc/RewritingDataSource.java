package io.leaderelection.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Stands for another kind of server: the answer to a part of a statement is that to
 * another one.
 */
public class RewritingDataSource extends DelegatingDataSource {

	private final String part;

	private final String replacement;

	public RewritingDataSource(DataSource dataSource, String part, String replacement) {
		super(dataSource);
		this.part = part;
		this.replacement = replacement;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return proxy(Connection.class, super.getConnection());
	}

	private <T> T proxy(Class<T> type, T target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				Object[] rewritten = (arguments != null) ? arguments.clone() : null;
				if (rewritten != null && rewritten.length > 0 && rewritten[0] instanceof String sql) {
					rewritten[0] = sql.replace(this.part, this.replacement);
				}
				try {
					Object result = method.invoke(target, rewritten);
					return (method.getReturnType() == Statement.class) ? proxy(Statement.class, (Statement) result)
							: result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

}
