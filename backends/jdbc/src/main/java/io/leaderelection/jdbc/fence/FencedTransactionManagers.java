package io.leaderelection.jdbc.fence;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.util.ReflectionUtils;

/**
 * Registers a {@link FencingListener} with every transaction manager of the application,
 * including those that Spring Boot has not created. A manager that takes no listeners,
 * such as one that delegates to others, gets a proxy. Internal.
 */
public final class FencedTransactionManagers implements BeanPostProcessor {

	/** The property that switches fenced transactions off. */
	public static final String ENABLED = "leader-election.fencing.jdbc.enabled";

	private static final Log logger = LogFactory.getLog(FencedTransactionManagers.class);

	private final Supplier<FencedTransactions> transactions;

	public FencedTransactionManagers(Supplier<FencedTransactions> transactions) {
		this.transactions = SingletonSupplier.of(transactions);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ReactiveTransactionManager && !(bean instanceof PlatformTransactionManager)) {
			// its transactions wander between threads: a listener may not see who leads
			logger.warn(
					"Transactions of '%s' (%s) are NOT fenced, since it is reactive: a former leader's may be committed"
						.formatted(beanName, bean.getClass().getName()));
		}
		else if (bean instanceof ConfigurableTransactionManager manager) {
			manager.addListener(new FencingListener(manager, beanName, this.transactions));
		}
		else if (bean instanceof PlatformTransactionManager) {
			return watched(bean, beanName);
		}
		return bean;
	}

	private Object watched(Object manager, String name) {
		ProxyFactory proxy = new ProxyFactory(manager);
		proxy.setProxyTargetClass(!Modifier.isFinal(manager.getClass().getModifiers()));
		AtomicBoolean unfencedSaid = new AtomicBoolean();
		proxy.addAdvice((MethodInterceptor) (call) -> {
			Object result = call.proceed();
			if (result instanceof TransactionStatus status && status.isNewTransaction() && !status.isReadOnly()
					&& !this.transactions.get().begunUnheard(status, name) && unfencedSaid.compareAndSet(false, true)) {
				logger
					.warn(("Transactions of '%s' (%s) are NOT fenced, since it binds no connection of a DataSource to "
							+ "the thread: a former leader's may be committed")
						.formatted(name, manager.getClass().getName()));
			}
			return result;
		});
		try {
			return proxy.getProxy(manager.getClass().getClassLoader());
		}
		catch (AopConfigException ex) {
			throw new IllegalStateException(
					("Transactions of '%s' (%s) cannot be fenced: it takes no listeners, and no "
							+ "proxy can be made for it. Let it implement ConfigurableTransactionManager, or set %s=false")
						.formatted(name, manager.getClass().getName(), ENABLED),
					ex);
		}
	}

	/**
	 * The data source whose connection takes part in the manager's transactions. JPA's
	 * and Hibernate's managers have one beside the factory that is their resource.
	 */
	public static @Nullable DataSource dataSource(TransactionManager transactionManager) {
		if (transactionManager instanceof ResourceTransactionManager manager
				&& manager.getResourceFactory() instanceof DataSource dataSource) {
			return dataSource;
		}
		PropertyDescriptor property = BeanUtils.getPropertyDescriptor(transactionManager.getClass(), "dataSource");
		if (property == null || property.getReadMethod() == null
				|| !DataSource.class.isAssignableFrom(property.getPropertyType())) {
			return null;
		}
		return (DataSource) ReflectionUtils.invokeMethod(property.getReadMethod(), transactionManager);
	}

}
