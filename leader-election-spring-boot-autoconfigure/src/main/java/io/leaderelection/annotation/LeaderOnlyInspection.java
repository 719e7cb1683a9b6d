package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks at all beans of the application once they are there, those included that are made
 * later: stands for the elections that they name, and refuses the start if one of them is
 * annotated in a way that cannot work.
 */
class LeaderOnlyInspection implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(LeaderOnlyInspection.class);

	private final LeaderOnlyBeanPostProcessor guarding;

	private final LeaderLifecycles lifecycles;

	private final SelfInvocation selfInvocation;

	private final ConfigurableListableBeanFactory beanFactory;

	private final ObjectProvider<GuardedCallListener> listeners;

	private final ObjectProvider<GuardedCallObserver> observer;

	LeaderOnlyInspection(LeaderOnlyBeanPostProcessor guarding, SelfInvocation selfInvocation,
			ConfigurableApplicationContext context, ObjectProvider<GuardedCallListener> listeners,
			ObjectProvider<GuardedCallObserver> observer) {
		this.guarding = guarding;
		this.lifecycles = new LeaderLifecycles(guarding, context);
		this.selfInvocation = selfInvocation;
		this.beanFactory = context.getBeanFactory();
		this.listeners = listeners;
		this.observer = observer;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.guarding.calls().tell(this.listeners.orderedStream().toList(), this.observer.getIfAvailable());
		List<Problem> problems = new ArrayList<>();
		Set<GuardedClass> guarded = new LinkedHashSet<>();
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			Class<?> type = typeOf(beanName);
			if (type != null) {
				GuardedClass found = this.guarding.guards().of(type);
				if (guarded.add(found)) {
					problems.addAll(found.problems());
					problems.addAll(selfCalls(found));
				}
				if (found.isGuarded()) {
					checkProxy(beanName, found, problems);
				}
				this.lifecycles.add(beanName, type, problems);
			}
		}
		guarded.forEach((found) -> settle(found, problems));
		GuardedAheadOfTime before = GuardedAheadOfTime.of(this.beanFactory);
		if (before != null) {
			problems.addAll(before.missing(guarded.stream()
				.flatMap((found) -> found.annotated().stream())
				.map(Method::toString)
				.collect(Collectors.toSet()), this.lifecycles.names()));
		}
		if (!problems.isEmpty()) {
			throw new LeaderOnlyMisuseException(problems);
		}
		this.lifecycles.follow();
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

	private List<Problem> selfCalls(GuardedClass guarded) {
		if (!guarded.isGuarded() || this.selfInvocation == SelfInvocation.IGNORE) {
			return List.of();
		}
		List<Problem> found = SelfCalls.pastTheGuard(guarded);
		if (this.selfInvocation == SelfInvocation.FAIL) {
			return found;
		}
		found.forEach((problem) -> logger.warn(problem.what()));
		return List.of();
	}

	private void checkProxy(String beanName, GuardedClass guarded, List<Problem> problems) {
		Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
		if (bean == null) {
			this.guarding.finality(beanName, guarded.type()).ifPresent(problems::add);
		}
		else if (bean instanceof FactoryBean<?> || bean instanceof ScopedObject) {
			return;
		}
		else if (this.guarding.guards(bean)) {
			guarded.guards().forEach((guard) -> checkInterfaces(guard, bean.getClass(), problems));
		}
		else if (!isOverriddenByTest(beanName)) {
			problems.add(new Problem(
					"The bean '%s' of %s has @LeaderOnly methods, but was made before it could be guarded"
						.formatted(beanName, guarded.type().getName()),
					"Let no BeanPostProcessor, BeanFactoryPostProcessor or other bean of the first hour depend on it"));
		}
	}

	/**
	 * Spring's test framework registers a bean override, such as {@code @MockitoBean},
	 * past the post-processors, and gives only these definitions a qualified element.
	 */
	private boolean isOverriddenByTest(String beanName) {
		return this.beanFactory.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
				&& definition.getQualifiedElement() != null;
	}

	/** What no interface has cannot be called by a proxy that has interfaces alone. */
	private static void checkInterfaces(Guard guard, Class<?> proxy, List<Problem> problems) {
		Method method = guard.method();
		if (Proxy.isProxyClass(proxy) && AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class)
				&& ClassUtils.getAllInterfacesForClassAsSet(proxy)
					.stream()
					.noneMatch((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))) {
			problems.add(Problem.of(method, "is in no interface of its class, which is proxied by its interfaces",
					"Add the method to an interface, or set spring.aop.proxy-target-class=true"));
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
