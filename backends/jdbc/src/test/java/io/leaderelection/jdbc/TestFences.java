package io.leaderelection.jdbc;

import java.util.function.UnaryOperator;

import io.leaderelection.jdbc.fence.DataSourceFences;

/**
 * Fences for the tests of transactions, in another package.
 */
public final class TestFences {

	private TestFences() {
	}

	public static DataSourceFences of(UnaryOperator<JdbcFence.Builder> building) {
		return new JdbcFences((dataSource) -> building.apply(JdbcFence.on(dataSource)).build());
	}

}
