package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import javax.lang.model.element.Modifier;

import io.leaderelection.annotation.LeaderOnlyProperties.SelfInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GeneratedMethod;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.javapoet.CodeBlock;
import org.springframework.util.ClassUtils;

/**
 * Looks at all beans while the application is processed ahead of time: notes what is
 * guarded, so that a start can tell whether all of it still is, lets it be found in a
 * native image, and refuses calls past the guard, which can only be seen in class files.
 */
class LeaderOnlyAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		LeaderOnlyBeanPostProcessor guarding = beanFactory.getBeanProvider(LeaderOnlyBeanPostProcessor.class)
			.getIfAvailable();
		if (guarding == null) {
			return null;
		}
		Found found = new Found();
		List<Problem> problems = new ArrayList<>();
		boolean selfCalls = selfInvocation(beanFactory) == SelfInvocation.FAIL;
		for (String beanName : beanFactory.getBeanDefinitionNames()) {
			Class<?> type = ClassUtils.getUserClass(RegisteredBean.of(beanFactory, beanName).getBeanClass());
			GuardedClass guarded = guarding.guards().of(type);
			if (guarded.isAnnotated() && found.classes.putIfAbsent(guarded.type(), guarded.annotated()) == null
					&& selfCalls) {
				problems.addAll(SelfCalls.pastTheGuard(guarded));
			}
			if (LeaderLifecycle.find(beanName, type, beanFactory) != null) {
				found.lifecycles.put(beanName, type);
			}
		}
		if (!problems.isEmpty()) {
			throw new LeaderOnlyMisuseException(problems);
		}
		return found;
	}

	private static SelfInvocation selfInvocation(ConfigurableListableBeanFactory beanFactory) {
		return Binder.get(beanFactory.getBean(Environment.class))
			.bind(LeaderOnlyProperties.PREFIX + ".self-invocation", SelfInvocation.class)
			.orElse(SelfInvocation.FAIL);
	}

	/**
	 * What is guarded.
	 */
	private static final class Found implements BeanFactoryInitializationAotContribution {

		private final Map<Class<?>, Set<Method>> classes = new LinkedHashMap<>();

		private final Map<String, Class<?>> lifecycles = new LinkedHashMap<>();

		@Override
		public void applyTo(GenerationContext generation, BeanFactoryInitializationCode code) {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			hints.registerTypeIfPresent(getClass().getClassLoader(), GuardReader.REACTIVE);
			Set<String> methods = new TreeSet<>();
			this.classes.forEach((type, annotated) -> {
				registerHierarchy(type, hints);
				for (Method method : annotated) {
					hints.registerMethod(method, ExecutableMode.INVOKE);
					methods.add(method.toString());
				}
			});
			this.lifecycles.values().forEach((type) -> {
				registerHierarchy(type, hints);
				Method setter = LeaderLifecycle.autoStartup(type);
				if (setter != null) {
					hints.registerMethod(setter, ExecutableMode.INVOKE);
				}
			});
			GeneratedMethod register = generation.getGeneratedClasses()
				.addForFeatureComponent("Guards", GuardedAheadOfTime.class,
						(type) -> type.addModifiers(Modifier.PUBLIC)
							.addJavadoc("What is {@code @LeaderOnly} in this application."))
				.getMethods()
				.add("register",
						(method) -> method.addModifiers(Modifier.PUBLIC, Modifier.STATIC)
							.addParameter(DefaultListableBeanFactory.class,
									BeanFactoryInitializationCode.BEAN_FACTORY_VARIABLE)
							.addStatement("$T.register($L, $L, $L)", GuardedAheadOfTime.class,
									BeanFactoryInitializationCode.BEAN_FACTORY_VARIABLE, array(methods),
									array(this.lifecycles.keySet())));
			code.addInitializer(register.toMethodReference());
		}

		/** Annotations may be on whatever a class extends or implements. */
		private static void registerHierarchy(Class<?> type, ReflectionHints hints) {
			for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
				hints.registerType(each);
			}
			ClassUtils.getAllInterfacesForClassAsSet(type).forEach((each) -> hints.registerType(each));
		}

		private static CodeBlock array(Set<String> texts) {
			return CodeBlock.of("new String[] { $L }",
					texts.stream().map((text) -> CodeBlock.of("$S", text)).collect(CodeBlock.joining(", ")));
		}

	}

}
