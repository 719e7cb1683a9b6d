package io.leaderelection.annotation;

import java.lang.reflect.Method;

import io.leaderelection.LeaderElector;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * Which election a guarded method belongs to, as the annotation says it.
 */
sealed interface ElectionName permits ElectionName.Unnamed, ElectionName.Fixed, ExpressedElectionName {

	/**
	 * Reads what the annotation says.
	 * @param value the text in the annotation
	 * @param method the annotated method; {@code null} for a bean as a whole
	 * @param beanFactory knows placeholders and expressions
	 * @return the election
	 * @throws IllegalArgumentException if the text cannot be resolved, with what is wrong
	 */
	static ElectionName of(String value, @Nullable Method method, ConfigurableBeanFactory beanFactory) {
		if (value.isEmpty()) {
			return new Unnamed();
		}
		String resolved = beanFactory.resolveEmbeddedValue(value);
		if (!StringUtils.hasText(resolved)) {
			throw new IllegalArgumentException("'%s' resolves to nothing".formatted(value));
		}
		if (resolved.contains("${")) {
			throw new IllegalArgumentException(
					"'%s' contains a placeholder that could not be resolved".formatted(value));
		}
		if (!resolved.contains("#{")) {
			return new Fixed(resolved);
		}
		ExpressedElectionName expressed = ExpressedElectionName.of(resolved, beanFactory);
		if (expressed.isConstant()) {
			return new Fixed(evaluate(resolved, beanFactory));
		}
		if (method == null) {
			throw new IllegalArgumentException("'%s' asks for arguments, but there are none".formatted(value));
		}
		expressed.checkVariables(method);
		return expressed;
	}

	private static String evaluate(String expression, ConfigurableBeanFactory beanFactory) {
		BeanExpressionResolver resolver = beanFactory.getBeanExpressionResolver();
		Object name = (resolver != null) ? resolver.evaluate(expression, new BeanExpressionContext(beanFactory, null))
				: null;
		if (name == null || !StringUtils.hasText(name.toString())) {
			throw new IllegalArgumentException("'%s' evaluates to nothing".formatted(expression));
		}
		return name.toString();
	}

	/**
	 * Whether it is the same for every call.
	 * @return {@code false} if it depends on the arguments
	 */
	default boolean isConstant() {
		return true;
	}

	/**
	 * The elector of the election.
	 * @param electors where to look for it
	 * @param call the call that asks; only needed if this is not constant
	 * @return the elector
	 */
	LeaderElector elector(Electors electors, @Nullable MethodInvocation call);

	/**
	 * The annotation names none.
	 */
	record Unnamed() implements ElectionName {

		@Override
		public LeaderElector elector(Electors electors, @Nullable MethodInvocation call) {
			return electors.unnamed();
		}

	}

	/**
	 * The same for every call.
	 */
	record Fixed(String name) implements ElectionName {

		@Override
		public LeaderElector elector(Electors electors, @Nullable MethodInvocation call) {
			return electors.named(this.name);
		}

	}

}
