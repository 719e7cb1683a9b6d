package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Puts a guard before the {@link LeaderOnly} methods of every bean, outside of all other
 * advice but that of {@code @Async}: it has to be asked on the thread that does the work,
 * at the time when it does.
 */
class LeaderOnlyBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	private final transient GuardedCalls calls = new GuardedCalls();

	private final transient LeaderLifecycleProxies lifecycles = new LeaderLifecycleProxies();

	private transient @Nullable Guards guards;

	private transient @Nullable Advice guarding;

	LeaderOnlyBeanPostProcessor(int order) {
		setOrder(order);
		setBeforeExistingAdvisors(true);
	}

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		super.setBeanClassLoader(classLoader);
		this.lifecycles.setBeanClassLoader(classLoader);
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		super.setBeanFactory(beanFactory);
		this.lifecycles.setBeanFactory(beanFactory);
		Assert.isInstanceOf(ConfigurableListableBeanFactory.class, beanFactory);
		Guards all = new Guards((ConfigurableListableBeanFactory) beanFactory);
		this.guards = all;
		this.guarding = new LeaderOnlyInterceptor(all, this.calls);
		this.advisor = new DefaultPointcutAdvisor(new GuardedMethods(all), this.guarding);
	}

	Guards guards() {
		Assert.state(this.guards != null, "The bean factory has not been set");
		return this.guards;
	}

	GuardedCalls calls() {
		return this.calls;
	}

	/** Ahead of time. */
	@Override
	public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
		if (isEligible(beanClass)) {
			requireNotFinal(beanName, beanClass);
		}
		return this.lifecycles.determineBeanType(super.determineBeanType(beanClass, beanName), beanName);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return this.lifecycles.postProcessAfterInitialization(guard(bean, beanName), beanName);
	}

	private Object guard(Object bean, String beanName) {
		if (bean instanceof AopInfrastructureBean
				|| !(bean instanceof Advised) && guards().of(AopUtils.getTargetClass(bean)).isOfNoConcern()) {
			return bean;
		}
		List<Problem> problems = classesOf(bean).flatMap((type) -> guards().of(type).problems().stream()).toList();
		if (!problems.isEmpty()) {
			throw new LeaderOnlyMisuseException(problems);
		}
		if (bean instanceof Advised advised && !advised.isFrozen()) {
			if (classesOf(bean).anyMatch((type) -> guards().of(type).isGuarded())) {
				Assert.state(this.advisor != null, "The bean factory has not been set");
				advised.addAdvisor(placeIn(advised), this.advisor);
			}
			return bean;
		}
		if (isEligible(bean.getClass())) {
			requireNotFinal(beanName, bean.getClass());
		}
		return super.postProcessAfterInitialization(bean, beanName);
	}

	private void requireNotFinal(String beanName, Class<?> type) {
		finality(beanName, type).ifPresent((problem) -> {
			throw new LeaderOnlyMisuseException(List.of(problem));
		});
	}

	/** Whether the proxy of a bean would have to be a subclass of a final class. */
	Optional<Problem> finality(String beanName, Class<?> type) {
		boolean subclass = isProxyTargetClass() || ClassUtils.getAllInterfacesForClass(type).length == 0
				|| this.beanFactory != null && AutoProxyUtils.shouldProxyTargetClass(this.beanFactory, beanName);
		return (subclass && Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type))
				? Optional.of(Problem.of(type, "is final, so that no proxy can guard its @LeaderOnly methods",
						"Let the class not be final. In Kotlin, open it, or use the plugin kotlin-spring"))
				: Optional.empty();
	}

	/** The classes whose annotations count: also what a proxy adds to its target. */
	private static Stream<Class<?>> classesOf(Object bean) {
		Class<?> target = AopUtils.getTargetClass(bean);
		return (bean instanceof Advised advised)
				? Stream.concat(Stream.of(target),
						Stream.of(advised.getProxiedInterfaces()).filter((type) -> !type.isAssignableFrom(target)))
				: Stream.of(target);
	}

	private static int placeIn(Advised advised) {
		Advisor[] advisors = advised.getAdvisors();
		return IntStream.range(0, advisors.length)
			.filter((i) -> advisors[i].getAdvice() instanceof AsyncExecutionInterceptor)
			.map((i) -> i + 1)
			.max()
			.orElse(0);
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return guards().of(targetClass).isAnnotated();
	}

	/** Whether the guard fills in all arguments of this method. */
	boolean suppliesArguments(Method method, Object bean) {
		Guard guard = guards().of(AopProxyUtils.ultimateTargetClass(bean)).guard(method);
		return guard != null && guard.suppliedParameters() == method.getParameterCount();
	}

	/** Whether calls of this object pass the guard. */
	boolean guards(Object bean) {
		Object present = bean;
		while (present instanceof Advised advised) {
			if (Stream.of(advised.getAdvisors()).anyMatch((advisor) -> advisor.getAdvice() == this.guarding)) {
				return true;
			}
			present = AopProxyUtils.getSingletonTarget(present);
		}
		return false;
	}

	/**
	 * Matches the methods that have a guard.
	 */
	private static final class GuardedMethods extends StaticMethodMatcherPointcut {

		private final Guards guards;

		GuardedMethods(Guards guards) {
			this.guards = guards;
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return this.guards.of(targetClass).guard(method) != null;
		}

	}

}
