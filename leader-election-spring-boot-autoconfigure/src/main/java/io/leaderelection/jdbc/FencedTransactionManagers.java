package io.leaderelection.jdbc;

import java.util.function.Supplier;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Gives every transaction manager of the application its {@link FencingListener}, those
 * included that Spring Boot has not made.
 */
final class FencedTransactionManagers implements BeanPostProcessor {

	private final Supplier<FencedTransactions> transactions;

	FencedTransactionManagers(Supplier<FencedTransactions> transactions) {
		this.transactions = SingletonSupplier.of(transactions);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager manager) {
			manager.addListener(new FencingListener(manager, beanName, this.transactions));
		}
		return bean;
	}

}
