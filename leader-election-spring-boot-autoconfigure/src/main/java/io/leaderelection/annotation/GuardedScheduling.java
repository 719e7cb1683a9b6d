package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.DefaultScheduledTaskObservationConvention;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;
import org.springframework.scheduling.support.ScheduledTaskObservationConvention;
import org.springframework.scheduling.support.ScheduledTaskObservationDocumentation;
import org.springframework.util.ReflectionUtils;

/**
 * Does what Spring does with {@code @Scheduled} methods, and schedules guarded ones with
 * parameters, too. They are called with {@code null}s, which the guard fills in.
 */
class GuardedScheduling extends ScheduledAnnotationBeanPostProcessor {

	private final LeaderOnlyBeanPostProcessor guarding;

	private final ScheduledTaskRegistrar registrar;

	private GuardedScheduling(LeaderOnlyBeanPostProcessor guarding, ScheduledTaskRegistrar registrar) {
		super(registrar);
		this.guarding = guarding;
		this.registrar = registrar;
	}

	/** Made by a method: a second constructor would be ambiguous ahead of time. */
	static GuardedScheduling of(LeaderOnlyBeanPostProcessor guarding) {
		return new GuardedScheduling(guarding, new ScheduledTaskRegistrar());
	}

	@Override
	protected Runnable createRunnable(Object target, Method method, @Nullable String qualifier) {
		if (method.getParameterCount() == 0 || !this.guarding.suppliesArguments(method, target)) {
			return super.createRunnable(target, method, qualifier);
		}
		return new GuardedRunnable(target, AopUtils.selectInvocableMethod(method, target.getClass()), qualifier,
				this.registrar::getObservationRegistry);
	}

	/**
	 * Differs from its parent in the number of arguments alone, which the parent does not
	 * let others change.
	 */
	private static final class GuardedRunnable extends ScheduledMethodRunnable {

		private static final ScheduledTaskObservationConvention CONVENTION = new DefaultScheduledTaskObservationConvention();

		private final Supplier<ObservationRegistry> observations;

		GuardedRunnable(Object target, Method method, @Nullable String qualifier,
				Supplier<ObservationRegistry> observations) {
			super(target, method, qualifier, observations);
			this.observations = observations;
			ReflectionUtils.makeAccessible(method);
		}

		@Override
		public void run() {
			ScheduledTaskObservationContext context = new ScheduledTaskObservationContext(getTarget(), getMethod());
			Observation observation = ScheduledTaskObservationDocumentation.TASKS_SCHEDULED_EXECUTION.observation(null,
					CONVENTION, () -> context, this.observations.get());
			observation.observe(() -> {
				ReflectionUtils.invokeMethod(getMethod(), getTarget(), new Object[getMethod().getParameterCount()]);
				context.setComplete(true);
			});
		}

	}

}
