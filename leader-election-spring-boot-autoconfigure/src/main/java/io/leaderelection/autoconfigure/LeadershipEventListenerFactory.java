package io.leaderelection.autoconfigure;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.leaderelection.LeadershipEvent;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.EventListenerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Lets {@link EventListener @EventListener} methods for a {@link LeadershipEvent} keep to
 * the rules for listeners of leadership: in order and waited for, also if other events
 * are multicast asynchronously, and harming nobody else when they throw.
 */
class LeadershipEventListenerFactory implements EventListenerFactory, Ordered {

	/** After the one for transactions, and before the one that takes every method. */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE - 1;
	}

	@Override
	public boolean supportsMethod(Method method) {
		EventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		if (annotation == null) {
			return false;
		}
		Class<?>[] types = (annotation.classes().length > 0) ? annotation.classes() : method.getParameterTypes();
		return types.length > 0 && Arrays.stream(types).allMatch(LeadershipEvent.class::isAssignableFrom);
	}

	@Override
	public ApplicationListener<?> createApplicationListener(String beanName, Class<?> type, Method method) {
		return new LeadershipListenerMethod(beanName, type, method);
	}

	private static final class LeadershipListenerMethod extends ApplicationListenerMethodAdapter {

		private final Method method;

		private LeadershipListenerMethod(String beanName, Class<?> type, Method method) {
			super(beanName, type, method);
			this.method = method;
		}

		@Override
		public boolean supportsAsyncExecution() {
			return false;
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			try {
				super.onApplicationEvent(event);
			}
			catch (RuntimeException | Error ex) {
				logger.error("%s failed; other listeners are told all the same".formatted(this.method), ex);
			}
		}

	}

}
