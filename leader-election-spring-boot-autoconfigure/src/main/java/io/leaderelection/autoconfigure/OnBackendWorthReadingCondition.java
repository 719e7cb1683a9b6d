package io.leaderelection.autoconfigure;

import java.util.Optional;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Checks that the classes of a {@link ConditionalOnBackend backend} are there and that no
 * other one is configured, before its configuration, which knows the classes, is as much
 * as read.
 */
class OnBackendWorthReadingCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.PARSE_CONFIGURATION;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Backend backend = metadata.getAnnotations().get(ConditionalOnBackend.class).getEnum("value", Backend.class);
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnBackend.class,
				BackendChoice.nameOf(backend));
		Optional<Backend> configured = BackendChoice.configured(context.getEnvironment());
		if (configured.isPresent() && configured.get() != backend) {
			return ConditionOutcome.noMatch(message
				.because("%s is %s".formatted(BackendChoice.PROPERTY, BackendChoice.nameOf(configured.get()))));
		}
		Optional<String> missing = PossibleBackend.of(backend)
			.flatMap((candidate) -> candidate.missingClass(context.getClassLoader()));
		return missing.map((name) -> ConditionOutcome.noMatch(message.didNotFind("required class").items(name)))
			.orElseGet(() -> ConditionOutcome.match(message.because("its classes are on the class path")));
	}

}
