package io.leaderelection.jdbc.fence;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.fencing.TransactionFence;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The open transactions of each thread, with the tokens of the leaderships under which
 * work was done in them. All tokens of a transaction are checked at its commit, as the
 * last step before the database commits.
 *
 * <p>
 * Pending changes of JPA are flushed before the check: some databases lock the row
 * exclusively, and then a flush must not wait for another transaction. Changes that are
 * flushed later are fenced as well, because the lock lasts until the database has
 * committed. Internal.
 */
public final class FencedTransactions implements TransactionFence {

	private final ThreadLocal<List<Open>> open = ThreadLocal.withInitial(ArrayList::new);

	private final Supplier<? extends DataSourceFences> fences;

	/** Fences are asked for by the first leader: others begin while beans are made. */
	public FencedTransactions(Supplier<? extends DataSourceFences> fences) {
		this.fences = fences;
	}

	@Override
	public void join(Leadership leadership) {
		for (Open transaction : this.open.get()) {
			if (transaction.isActive()) {
				transaction.tokens.add(leadership.token());
			}
		}
	}

	/**
	 * A transaction is about to be begun: the connection is not taken yet.
	 */
	void announce(DataSource dataSource, String transactionManager) {
		Leadership leadership = CurrentLeadership.get();
		if (leadership == null) {
			return;
		}
		try {
			this.fences.get().announce(dataSource, transactionManager, leadership.token());
		}
		catch (DataAccessException ex) {
			throw new CannotCreateTransactionException("Could not raise the fence before the transaction", ex);
		}
	}

	/**
	 * A transaction has begun. This must not fail: the transaction would not be ended.
	 */
	void begun(TransactionExecution execution, DataSource dataSource) {
		List<Open> transactions = this.open.get();
		// no listener is called for one that could neither be committed nor rolled back
		transactions.removeIf((transaction) -> transaction.execution.isCompleted());
		Open begun = new Open(execution, dataSource, TransactionSynchronizationManager.getResource(dataSource));
		transactions.add(begun);
		Leadership leadership = CurrentLeadership.get();
		if (leadership != null) {
			begun.tokens.add(leadership.token());
		}
	}

	/**
	 * A transaction has been begun by a manager that takes no listeners. What it has
	 * bound to the thread tells its databases, and a synchronization its commit.
	 * @return whether it is fenced, or no leadership is current
	 */
	boolean begunUnheard(TransactionStatus status, String transactionManager) {
		List<DataSource> bound = new ArrayList<>();
		for (Object key : TransactionSynchronizationManager.getResourceMap().keySet()) {
			if (key instanceof DataSource dataSource) {
				bound.add(dataSource);
			}
		}
		List<DataSource> heardOf = this.open.get()
			.stream()
			.filter(Open::isActive)
			.map((transaction) -> transaction.dataSource)
			.toList();
		if (bound.isEmpty() || !TransactionSynchronizationManager.isSynchronizationActive()) {
			return CurrentLeadership.get() == null;
		}
		bound.removeAll(heardOf);
		if (!bound.isEmpty()) {
			bound.forEach((dataSource) -> begun(status, dataSource));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					check(status, transactionManager, status::flush);
				}

				@Override
				public void afterCompletion(int outcome) {
					ended(status);
				}

			});
		}
		return true;
	}

	/** A savepoint has been set in a transaction. */
	void nested() {
		Leadership leadership = CurrentLeadership.get();
		if (leadership != null) {
			join(leadership);
		}
	}

	/**
	 * A transaction is about to be committed.
	 * @param flush writes what was kept back; run only if there is something to check
	 */
	void check(TransactionExecution execution, String transactionManager, Runnable flush) {
		for (Open transaction : List.copyOf(this.open.get())) {
			if (transaction.execution == execution && !transaction.tokens.isEmpty()) {
				flush.run();
				this.fences.get().check(transaction.dataSource, transactionManager, transaction.tokens);
			}
		}
	}

	/** A transaction is over. */
	void ended(TransactionExecution execution) {
		List<Open> transactions = this.open.get();
		transactions.removeIf((transaction) -> transaction.execution == execution);
		if (transactions.isEmpty()) {
			this.open.remove();
		}
	}

	private static final class Open {

		private final TransactionExecution execution;

		private final DataSource dataSource;

		private final @Nullable Object resource;

		/**
		 * In one order for all, so that two transactions do not wait for each other, and
		 * the highest first, so that it refuses the others of its election.
		 */
		private final TreeSet<FencingToken> tokens = new TreeSet<>(Comparator.comparing(FencingToken::election)
			.thenComparing(FencingToken::value, Comparator.reverseOrder()));

		private Open(TransactionExecution execution, DataSource dataSource, @Nullable Object resource) {
			this.execution = execution;
			this.dataSource = dataSource;
			this.resource = resource;
		}

		/** Not so while it is suspended. */
		private boolean isActive() {
			return this.resource != null
					&& this.resource == TransactionSynchronizationManager.getResource(this.dataSource);
		}

	}

}
