package io.leaderelection.test;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit a {@link TestLeadership} of its own as a parameter, and closes
 * it afterwards. For tests without an application context.
 */
public final class LeadershipExtension implements ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(LeadershipExtension.class);

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestLeadership.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getStore(NAMESPACE)
			.computeIfAbsent(context.getUniqueId(), (test) -> new TestLeadership(), TestLeadership.class);
	}

}
