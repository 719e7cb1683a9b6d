package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Checks {@link ConditionalOnBackend}. It looks for beans, so the auto-configurations
 * that define them have to come first.
 */
class OnBackendCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String backend = metadata.getAnnotations().get(ConditionalOnBackend.class).getString("value");
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnBackend.class, backend);
		Environment environment = context.getEnvironment();
		if (!environment.getProperty(LeaderElectionProperties.PREFIX + ".enabled", Boolean.class, true)) {
			return ConditionOutcome.noMatch(message.because(LeaderElectionProperties.PREFIX + ".enabled is false"));
		}
		BackendChoice choice = BackendChoice.of(environment, Objects.requireNonNull(context.getBeanFactory()));
		String reason = explain(backend, choice);
		return choice.selected().filter(backend::equals).isPresent() ? ConditionOutcome.match(message.because(reason))
				: ConditionOutcome.noMatch(message.because(reason));
	}

	private static String explain(String backend, BackendChoice choice) {
		String configured = choice.configured().orElse(null);
		if (configured != null && !configured.equals(backend)) {
			return "%s is %s".formatted(BackendChoice.PROPERTY, configured);
		}
		Optional<BackendAvailability> availability = choice.availability(backend);
		if (availability.isEmpty()) {
			return (configured != null) ? "%s is %s".formatted(BackendChoice.PROPERTY, configured)
					: BackendChoice.PROPERTY + " is not set";
		}
		if (!availability.get().available()) {
			return availability.get().reason();
		}
		List<String> available = choice.available().stream().map(BackendAvailability::backend).toList();
		if (configured == null && available.size() > 1) {
			return "%s is not set and several are possible: %s".formatted(BackendChoice.PROPERTY, available);
		}
		return "found " + availability.get().reason();
	}

}
