package io.leaderelection.annotation;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Looks for guarded methods in a class that has none, beside the start of the
 * application, so that what this needs is loaded when it looks through all beans.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class GuardsBackgroundPreinitializer implements BackgroundPreinitializer {

	@Override
	public void preinitialize() {
		LeaderOnlyBeanPostProcessor guarding = new LeaderOnlyBeanPostProcessor(LeaderOnlyProperties.DEFAULT_ORDER);
		guarding.setBeanFactory(new DefaultListableBeanFactory());
		guarding.postProcessAfterInitialization(this, getClass().getName());
	}

}
