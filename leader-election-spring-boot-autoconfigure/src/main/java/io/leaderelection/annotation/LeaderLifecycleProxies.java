package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ReflectionUtils;

/**
 * Keeps the application context from starting {@link LeaderOnly} lifecycle beans: by
 * telling those to wait that can be told, and by standing before the others. Not a bean:
 * {@link LeaderOnlyBeanPostProcessor} asks it.
 */
class LeaderLifecycleProxies extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	private static final Log logger = LogFactory.getLog(LeaderLifecycleProxies.class);

	LeaderLifecycleProxies() {
		setBeforeExistingAdvisors(true);
		this.advisor = new DefaultPointcutAdvisor(new StartMethods(), (MethodInterceptor) this::intercept);
	}

	/** Ahead of time: proxies are made of those alone that need one. */
	@Override
	public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
		if (this.beanFactory == null || LeaderLifecycle.find(beanName, beanClass, this.beanFactory) == null
				|| LeaderLifecycle.canBeToldToWait(beanClass)) {
			return beanClass;
		}
		requireOverridable(beanName, beanClass);
		return super.determineBeanType(beanClass, beanName);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof Lifecycle) || this.beanFactory == null) {
			return bean;
		}
		Class<?> type = AopUtils.getTargetClass(bean);
		LeaderOnly annotation = LeaderLifecycle.find(beanName, type, this.beanFactory);
		if (annotation == null || isToldToWait(bean)) {
			return bean;
		}
		requireOverridable(beanName, type);
		return super.postProcessAfterInitialization(bean, beanName);
	}

	/** Message listener containers and their like; some cannot be proxied. */
	private static boolean isToldToWait(Object bean) {
		Object target = AopProxyUtils.getSingletonTarget(bean);
		target = (target != null) ? target : bean;
		Method setter = LeaderLifecycle.autoStartup(target.getClass());
		if (setter == null || !(target instanceof SmartLifecycle lifecycle)) {
			return false;
		}
		ReflectionUtils.makeAccessible(setter);
		ReflectionUtils.invokeMethod(setter, target, false);
		return !lifecycle.isAutoStartup();
	}

	private static void requireOverridable(String beanName, Class<?> type) {
		List<String> obstacles = new ArrayList<>();
		if (Modifier.isFinal(type.getModifiers())) {
			obstacles.add("its class is final");
		}
		for (String name : List.of("start", "isAutoStartup")) {
			Method method = ReflectionUtils.findMethod(type, name);
			if (method != null && Modifier.isFinal(method.getModifiers())) {
				obstacles.add(name + "() is final");
			}
		}
		if (!obstacles.isEmpty()) {
			throw new LeaderOnlyMisuseException(List.of(new Problem(
					"The @LeaderOnly bean '%s' of %s cannot be kept from starting on every node: %s".formatted(beanName,
							type.getName(), String.join(", ", obstacles)),
					"Give it a method setAutoStartup(boolean), or let its class and start() not be final")));
		}
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		// others have been turned away by their name
		return true;
	}

	private @Nullable Object intercept(MethodInvocation call) throws Throwable {
		if (call.getMethod().getName().equals("isAutoStartup")) {
			return false;
		}
		Leadership present = CurrentLeadership.get();
		if (present != null && present.isCurrent()) {
			return call.proceed();
		}
		logger.debug("%s is not started, since it is started when this node leads".formatted(call.getThis()));
		return null;
	}

	/**
	 * Matches what the context asks when it starts.
	 */
	private static final class StartMethods extends StaticMethodMatcherPointcut {

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return method.getParameterCount() == 0
					&& (method.getName().equals("start") || method.getName().equals("isAutoStartup"));
		}

	}

}
