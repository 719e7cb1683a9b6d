package io.leaderelection.annotation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.leaderelection.annotation.LeaderOnlyProperties.SelfInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Looks at all beans of the application once they are there, those included that are made
 * later: stands for the elections that they name, and refuses the start if one of them is
 * annotated in a way that cannot work.
 */
class LeaderOnlyInspection implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(LeaderOnlyInspection.class);

	private final LeaderOnlyBeanPostProcessor guarding;

	private final SelfInvocation selfInvocation;

	private final ConfigurableListableBeanFactory beanFactory;

	private final ObjectProvider<GuardedCallListener> listeners;

	LeaderOnlyInspection(LeaderOnlyBeanPostProcessor guarding, SelfInvocation selfInvocation,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<GuardedCallListener> listeners) {
		this.guarding = guarding;
		this.selfInvocation = selfInvocation;
		this.beanFactory = beanFactory;
		this.listeners = listeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.guarding.calls().tell(this.listeners.orderedStream().toList());
		List<Problem> problems = new ArrayList<>();
		Set<GuardedClass> guarded = new LinkedHashSet<>();
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			Class<?> type = typeOf(beanName);
			if (type != null) {
				GuardedClass found = this.guarding.guards().of(type);
				if (guarded.add(found)) {
					problems.addAll(found.problems());
				}
				if (found.isGuarded()) {
					checkProxy(beanName, found, problems);
				}
			}
		}
		guarded.forEach((found) -> settle(found, problems));
		if (!problems.isEmpty()) {
			throw new LeaderOnlyMisuseException(problems);
		}
	}

	private @Nullable Class<?> typeOf(String beanName) {
		try {
			return this.beanFactory.getMergedBeanDefinition(beanName).isAbstract() ? null
					: AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		}
		catch (RuntimeException | LinkageError ex) {
			// a bean that cannot be looked at cannot be made either, and nobody has tried
			logger.debug("The class of the bean '%s' cannot be told".formatted(beanName), ex);
			return null;
		}
	}

	private void checkProxy(String beanName, GuardedClass guarded, List<Problem> problems) {
		Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
		if (bean == null || bean instanceof FactoryBean<?> || bean instanceof ScopedObject) {
			return;
		}
		if (!this.guarding.guards(bean) && !TestDoubles.isOne(beanName, bean, this.beanFactory)) {
			problems.add(new Problem(
					"The bean '%s' of %s has @LeaderOnly methods, but was made before it could be guarded"
						.formatted(beanName, guarded.type().getName()),
					"Let no BeanPostProcessor, BeanFactoryPostProcessor or other bean of the first hour depend on it"));
		}
	}

	private void settle(GuardedClass guarded, List<Problem> problems) {
		for (Guard guard : guarded.guards()) {
			try {
				guard.settle();
			}
			catch (LeaderOnlyMisuseException ex) {
				ex.problems()
					.stream()
					.map((problem) -> new Problem("%s: %s".formatted(guard, problem.what()), problem.remedy()))
					.forEach(problems::add);
			}
			catch (IllegalArgumentException ex) {
				problems
					.add(new Problem("%s: %s".formatted(guard, ex.getMessage()), "Correct the name of the election"));
			}
		}
	}

}
