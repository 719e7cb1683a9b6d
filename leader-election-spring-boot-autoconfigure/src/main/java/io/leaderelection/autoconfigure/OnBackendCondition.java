package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Objects;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;
import io.leaderelection.autoconfigure.PossibleBackend.Finding;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Checks {@link ConditionalOnBackend}. Asks for beans, so it has to come after the
 * auto-configurations that define them.
 */
class OnBackendCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Backend backend = metadata.getAnnotations().get(ConditionalOnBackend.class).getEnum("value", Backend.class);
		BackendChoice choice = BackendChoice.of(context.getEnvironment(),
				Objects.requireNonNull(context.getBeanFactory()));
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnBackend.class,
				BackendChoice.nameOf(backend));
		String because = explain(backend, choice);
		return choice.chosen().filter(backend::equals).isPresent() ? ConditionOutcome.match(message.because(because))
				: ConditionOutcome.noMatch(message.because(because));
	}

	private static String explain(Backend backend, BackendChoice choice) {
		Backend configured = choice.configured().orElse(null);
		if (backend == Backend.LOCAL || configured != null && configured != backend) {
			return (configured != null) ? "%s is %s".formatted(BackendChoice.PROPERTY, BackendChoice.nameOf(configured))
					: BackendChoice.PROPERTY + " is not set";
		}
		Finding finding = choice.finding(backend);
		if (!finding.possible()) {
			return finding.reason();
		}
		if (choice.configured().isEmpty()) {
			List<String> possible = choice.possible()
				.stream()
				.map((other) -> BackendChoice.nameOf(other.backend()))
				.toList();
			if (possible.size() > 1) {
				return "%s is not set and several are possible: %s".formatted(BackendChoice.PROPERTY, possible);
			}
		}
		return "found " + finding.reason();
	}

}
