package io.leaderelection.test.spring;

import io.leaderelection.test.TestLeadership;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Ends after each test the leaderships that it has granted: application contexts are
 * cached from one test class to the next.
 */
final class LeadershipResetListener implements TestExecutionListener {

	@Override
	public void afterTestMethod(TestContext test) {
		if (test.hasApplicationContext()) {
			ApplicationContext context = test.getApplicationContext();
			context.getBeanProvider(TestLeadership.class, false).ifAvailable(TestLeadership::reset);
		}
	}

}
