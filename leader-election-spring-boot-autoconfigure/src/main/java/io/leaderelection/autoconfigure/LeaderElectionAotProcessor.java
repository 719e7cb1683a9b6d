package io.leaderelection.autoconfigure;

import java.util.Map;

import javax.lang.model.element.Modifier;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GeneratedMethod;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.javapoet.CodeBlock;

/**
 * Writes down, while the application is processed ahead of time, what the
 * {@link PropertiesAheadOfTime} were. A child context has the beans of its parent.
 */
class LeaderElectionAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		Environment environment = beanFactory.getBeanProvider(Environment.class).getIfAvailable();
		if (environment == null || beanFactory.getParentBeanFactory() != null) {
			return null;
		}
		Map<String, String> decided = PropertiesAheadOfTime.decided(environment, beanFactory);
		return (generation, code) -> write(decided, generation, code);
	}

	private static void write(Map<String, String> decided, GenerationContext generation,
			BeanFactoryInitializationCode code) {
		CodeBlock pairs = decided.entrySet()
			.stream()
			.map((entry) -> CodeBlock.of("$S, $S", entry.getKey(), entry.getValue()))
			.collect(CodeBlock.joining(", "));
		GeneratedMethod require = generation.getGeneratedClasses()
			.addForFeatureComponent("Check", PropertiesAheadOfTime.class,
					(type) -> type.addModifiers(Modifier.PUBLIC)
						.addJavadoc("What was decided when this application was processed."))
			.getMethods()
			.add("require",
					(method) -> method.addModifiers(Modifier.PUBLIC, Modifier.STATIC)
						.addParameter(ConfigurableEnvironment.class, "environment")
						.addStatement("$T.require(environment, $L)", PropertiesAheadOfTime.class, pairs));
		code.addInitializer(require.toMethodReference());
	}

}
