package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Map;

import io.leaderelection.LeaderElections;
import io.leaderelection.store.memory.InMemoryLeaseStore;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Reads properties and makes elections that never begin, beside the start of the
 * application: what is loaded for them, and the random numbers of the JDK above all, need
 * not be waited for later. Comes before what Spring Boot does in the background, for
 * which there is time until the web server starts.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class ElectionsBackgroundPreinitializer implements BackgroundPreinitializer {

	private static final String ELECTION = LeaderElectorRegistrar.DEFAULT_ELECTION;

	@Override
	public void preinitialize() {
		formatNumber();
		ConfigurableEnvironment environment = new AbstractEnvironment() {
		};
		environment.getPropertySources()
			.addFirst(new MapPropertySource("background", Map.of(BackendChoice.PROPERTY, "local",
					PropertySettings.prefix(ELECTION) + "lease-duration", "10s")));
		ConfigurationPropertySources.attach(environment);
		new LeaderElectorRegistrar(environment).postProcessBeanDefinitionRegistry(new DefaultListableBeanFactory());
		ConfiguredSettings settings = new ConfiguredSettings(
				Binder.get(environment).bindOrCreate(LeaderElectionProperties.PREFIX, LeaderElectionProperties.class),
				List.of());
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore())
			.nodeId("background")
			.logger(new ApplicationLogger("io.leaderelection"))
			.rehearse(false)
			.build()) {
			new ConfiguredElections(elections, settings).elector(ELECTION);
		}
	}

	/**
	 * Loads what the JDK knows of the locale. Spring Boot needs it when the context is
	 * prepared, and has loaded it in the background by then unless others come first.
	 */
	private static void formatNumber() {
		String.format("%d", 1);
	}

}
