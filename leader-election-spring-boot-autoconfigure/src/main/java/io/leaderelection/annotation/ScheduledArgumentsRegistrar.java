package io.leaderelection.annotation;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfiguration;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/**
 * Puts {@link GuardedScheduling} in the place of Spring's own post-processor for
 * {@code @Scheduled}, if there is one. One that the application has made is left alone.
 */
class ScheduledArgumentsRegistrar implements BeanDefinitionRegistryPostProcessor {

	private static final String PROCESSOR = TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME;

	private final boolean enabled;

	ScheduledArgumentsRegistrar(boolean enabled) {
		this.enabled = enabled;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (this.enabled && registry.containsBeanDefinition(PROCESSOR)) {
			BeanDefinition present = registry.getBeanDefinition(PROCESSOR);
			if (isOfSpring(present)) {
				registry.removeBeanDefinition(PROCESSOR);
				registry.registerBeanDefinition(PROCESSOR, replacement(present));
			}
		}
	}

	/** Made by {@code @EnableScheduling} or by {@code <task:annotation-driven>}. */
	private static boolean isOfSpring(BeanDefinition present) {
		return (present.getFactoryMethodName() != null)
				? SchedulingConfiguration.class.getName().equals(present.getFactoryBeanName())
				: ScheduledAnnotationBeanPostProcessor.class.getName().equals(present.getBeanClassName());
	}

	private static BeanDefinition replacement(BeanDefinition present) {
		RootBeanDefinition replacement = new RootBeanDefinition(GuardedScheduling.class);
		replacement.setFactoryMethodName("of");
		replacement.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		replacement.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		replacement.setSource(present.getSource());
		replacement.setPropertyValues(present.getPropertyValues());
		return replacement;
	}

}
