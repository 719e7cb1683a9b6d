package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.leaderelection.LeaderElector;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringUtils;

/**
 * An election that every call names by its arguments.
 *
 * @param text the expression as written
 * @param expression the expression
 * @param variables the variables in it
 * @param beanFactory knows the beans in it
 */
record ExpressedElectionName(String text, Expression expression, Set<String> variables,
		BeanFactory beanFactory) implements ElectionName {

	private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

	static ExpressedElectionName of(String text, BeanFactory beanFactory) {
		try {
			Expression expression = new SpelExpressionParser().parseExpression(text, new TemplateParserContext());
			Set<String> variables = new TreeSet<>();
			collectVariables(expression, variables);
			return new ExpressedElectionName(text, expression, variables, beanFactory);
		}
		catch (ParseException ex) {
			throw new IllegalArgumentException("'%s' is no expression: %s".formatted(text, ex.getMessage()), ex);
		}
	}

	private static void collectVariables(Expression expression, Set<String> variables) {
		if (expression instanceof CompositeStringExpression composite) {
			for (Expression part : composite.getExpressions()) {
				collectVariables(part, variables);
			}
		}
		else if (expression instanceof SpelExpression spel) {
			collectVariables(spel.getAST(), variables);
		}
	}

	private static void collectVariables(SpelNode node, Set<String> variables) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			variables.add(node.toStringAST().replaceFirst("^#([^(]*).*", "$1"));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			collectVariables(node.getChild(i), variables);
		}
	}

	@Override
	public boolean isConstant() {
		return this.variables.isEmpty();
	}

	void checkVariables(Method method) {
		String[] names = PARAMETER_NAMES.getParameterNames(method);
		Set<String> known = new TreeSet<>((names != null) ? Arrays.asList(names) : Collections.emptySet());
		for (int i = 0; i < method.getParameterCount(); i++) {
			known.add("a" + i);
			known.add("p" + i);
		}
		for (String variable : this.variables) {
			if (!known.contains(variable)) {
				throw new IllegalArgumentException(
						"'%s' asks for #%s, but the arguments are %s".formatted(this.text, variable, known));
			}
		}
	}

	@Override
	public LeaderElector elector(Electors electors, @Nullable MethodInvocation call) {
		Objects.requireNonNull(call, "call");
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(call.getThis(), call.getMethod(),
				call.getArguments(), PARAMETER_NAMES);
		context.setBeanResolver(new BeanFactoryResolver(this.beanFactory));
		String name = this.expression.getValue(context, String.class);
		if (!StringUtils.hasText(name)) {
			throw new IllegalArgumentException("The election '%s' of %s evaluates to nothing for the arguments %s"
				.formatted(this.text, Problem.describe(call.getMethod()), Arrays.toString(call.getArguments())));
		}
		return electors.dynamicallyNamed(name);
	}

	/** What is written alike is meant alike, whatever the arguments turn out to be. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ExpressedElectionName that && this.text.equals(that.text);
	}

	@Override
	public int hashCode() {
		return this.text.hashCode();
	}

}
