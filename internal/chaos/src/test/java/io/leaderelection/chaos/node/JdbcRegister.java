package io.leaderelection.chaos.node;

import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.JdbcFence;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A table in the database of the elections. A leader's transactions are fenced at their
 * commit, without a word of it here. Each write locks the row that counts them, so that
 * their numbers are in the order of their commits.
 */
final class JdbcRegister implements Register {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final JdbcFence fence;

	private final String process;

	JdbcRegister(JdbcTemplate jdbc, PlatformTransactionManager transactions, JdbcFence fence, String process) {
		this.jdbc = jdbc;
		this.transactions = new TransactionTemplate(transactions);
		this.fence = fence;
		this.process = process;
	}

	@Override
	public void write(FencingToken token, Runnable between) {
		this.transactions.executeWithoutResult((status) -> {
			this.jdbc.queryForObject("SELECT N FROM REGISTER_SIZE", Long.class);
			between.run();
			write(token);
		});
	}

	@Override
	public void writeAsFormerLeader(FencingToken token) {
		this.transactions.executeWithoutResult((status) -> {
			write(token);
			this.fence.check(token);
		});
	}

	private void write(FencingToken token) {
		this.jdbc.update("UPDATE REGISTER_SIZE SET N = N + 1");
		this.jdbc.update("INSERT INTO REGISTER (N, TOKEN, PROCESS) SELECT N, ?, ? FROM REGISTER_SIZE", token.value(),
				this.process);
	}

}
