package io.leaderelection.autoconfigure;

import io.leaderelection.annotation.LeaderOnlyConfiguration;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Names what guards, or what says that nothing is guarded.
 */
class LeaderOnlyImports implements ImportSelector {

	static final String ENABLED = "leader-election.leader-only.enabled";

	private final Environment environment;

	LeaderOnlyImports(Environment environment) {
		this.environment = environment;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importing) {
		boolean enabled = this.environment.getProperty(ENABLED, Boolean.class, true);
		return new String[] { (enabled ? LeaderOnlyConfiguration.class : UnguardedConfiguration.class).getName() };
	}

}
