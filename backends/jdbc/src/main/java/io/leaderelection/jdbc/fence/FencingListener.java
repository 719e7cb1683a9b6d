package io.leaderelection.jdbc.fence;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.leaderelection.CurrentLeadership;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Fences the transactions of one transaction manager. A manager calls its listeners after
 * all other synchronizations and immediately before the commit. If a listener throws an
 * exception, the manager rolls back and rethrows it.
 */
final class FencingListener implements TransactionExecutionListener {

	private static final Log logger = LogFactory.getLog(FencingListener.class);

	private final TransactionManager transactionManager;

	private final String name;

	private final Supplier<FencedTransactions> transactions;

	private final AtomicBoolean unfencedSaid = new AtomicBoolean();

	private volatile @Nullable DataSource dataSource;

	FencingListener(TransactionManager transactionManager, String name, Supplier<FencedTransactions> transactions) {
		this.transactionManager = transactionManager;
		this.name = name;
		this.transactions = transactions;
	}

	@Override
	public void beforeBegin(TransactionExecution transaction) {
		if (!isNewAndMayWrite(transaction) || CurrentLeadership.get() == null) {
			return;
		}
		DataSource dataSource = dataSource();
		if (dataSource != null) {
			this.transactions.get().announce(dataSource, this.name);
		}
		else if (this.unfencedSaid.compareAndSet(false, true)) {
			logger
				.warn(("Transactions of '%s' (%s) are NOT fenced, since it has no DataSource: a former leader's may be "
						+ "committed. Fences exist for transactions on a JDBC DataSource")
					.formatted(this.name, this.transactionManager.getClass().getName()));
		}
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
		DataSource dataSource = (failure == null) ? dataSource() : null;
		if (dataSource == null) {
			return;
		}
		if (isNewAndMayWrite(transaction)) {
			this.transactions.get().begun(transaction, dataSource);
		}
		else if (transaction.isNested()) {
			this.transactions.get().nested();
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		if (isNewAndMayWrite(transaction)) {
			this.transactions.get().check(transaction, this.name, () -> flush(transaction));
		}
	}

	private void flush(TransactionExecution transaction) {
		if (transaction instanceof TransactionStatus status && !isFlushedByHand()) {
			status.flush();
		}
	}

	/** Hibernate would not flush at the commit either. */
	private boolean isFlushedByHand() {
		Object holder = (this.transactionManager instanceof ResourceTransactionManager manager)
				? TransactionSynchronizationManager.getResource(manager.getResourceFactory()) : null;
		if (holder == null) {
			return false;
		}
		Object session = property(holder, "getEntityManager");
		return session != null && "MANUAL".equals(String.valueOf(property(session, "getHibernateFlushMode")));
	}

	private static @Nullable Object property(Object target, String getter) {
		Method method = ReflectionUtils.findMethod(target.getClass(), getter);
		return (method != null) ? ReflectionUtils.invokeMethod(method, target) : null;
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
		this.transactions.get().ended(transaction);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
		this.transactions.get().ended(transaction);
	}

	private static boolean isNewAndMayWrite(TransactionExecution transaction) {
		return transaction.isNewTransaction() && !transaction.isReadOnly();
	}

	private @Nullable DataSource dataSource() {
		DataSource present = this.dataSource;
		if (present == null) {
			present = FencedTransactionManagers.dataSource(this.transactionManager);
			this.dataSource = present;
		}
		return present;
	}

}
