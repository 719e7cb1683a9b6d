package io.leaderelection.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaderelection.LeaderElector;
import io.leaderelection.autoconfigure.LeaderElectionProperties.Election;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Registers a {@link LeaderElector} bean for each declared election, to be injected by
 * {@code @Qualifier} or by the name of the parameter, and for each election that only
 * {@code @LeaderOnly} names, to be injected by {@code @Qualifier}. Comes after all
 * configuration classes, so that it sees every bean of the application and gives way to
 * it.
 */
class LeaderElectorRegistrar implements BeanDefinitionRegistryPostProcessor {

	static final String DEFAULT_ELECTION = "default";

	static final String BEAN_NAME_SUFFIX = "LeaderElector";

	private final Environment environment;

	LeaderElectorRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		UnknownProperties.refuse(this.environment);
		Set<String> present = (registry instanceof ConfigurableListableBeanFactory beanFactory)
				? Set.of(beanFactory.getBeanNamesForType(LeaderElector.class, true, false)) : Set.of();
		for (String election : elections(present)) {
			register(registry, present, election, definition(election));
		}
		if (registry instanceof ConfigurableListableBeanFactory beanFactory) {
			for (String election : LeaderOnlyElections.namedIn(beanFactory, this.environment)) {
				RootBeanDefinition definition = definition(election);
				// without a qualifier, the elector of a declared election is injected
				definition.setDefaultCandidate(false);
				// the annotated bean makes the node a candidate, perhaps under another
				// name than when the application was processed ahead of time
				definition.setLazyInit(true);
				register(registry, present, election, definition);
			}
		}
	}

	private static void register(BeanDefinitionRegistry registry, Set<String> present, String election,
			BeanDefinition definition) {
		String beanName = beanName(election);
		if (!present.contains(election) && !registry.containsBeanDefinition(beanName)) {
			registry.registerBeanDefinition(beanName, definition);
			if (!registry.isBeanNameInUse(election)) {
				registry.registerAlias(beanName, election);
			}
		}
	}

	private Collection<String> elections(Set<String> present) {
		Set<String> declared = declared().keySet();
		return (!declared.isEmpty()) ? declared : present.isEmpty() ? List.of(DEFAULT_ELECTION) : List.of();
	}

	/**
	 * Unlike the binding of Spring Boot, this refuses a property that an election does
	 * not have: a name with a dot in it looks like one.
	 */
	private Map<String, Election> declared() {
		GenericConversionService declarations = new GenericConversionService();
		declarations.addConverter(new ElectionDeclarationConverter());
		Binder binder = new Binder(ConfigurationPropertySources.get(this.environment),
				new PropertySourcesPlaceholdersResolver(this.environment),
				List.of(declarations, ApplicationConversionService.getSharedInstance()), null, null, null);
		BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
		try {
			return binder
				.bind(LeaderElectionProperties.PREFIX + ".elections", Bindable.mapOf(String.class, Election.class),
						strict)
				.orElse(Map.of());
		}
		catch (BindException ex) {
			if (ex.getCause() instanceof UnboundConfigurationPropertiesException unknown) {
				throw unknown(unknown.getUnboundProperties().iterator().next());
			}
			throw ex;
		}
	}

	private static RuntimeException unknown(ConfigurationProperty property) {
		return new InvalidConfigurationPropertyValueException(property.getName().toString(), property.getValue(),
				"An election has no such property. If it is a part of the name of the election, "
						+ "write the name in brackets: leader-election.elections[some.name].lease-duration.");
	}

	static String beanName(String election) {
		// a leading & would ask for the factory of a bean
		return StringUtils.trimLeadingCharacter(election, '&') + BEAN_NAME_SUFFIX;
	}

	private static RootBeanDefinition definition(String election) {
		RootBeanDefinition definition = new RootBeanDefinition(LeaderElector.class);
		definition.setFactoryBeanName(DeclaredElectors.BEAN_NAME);
		definition.setFactoryMethodName("elector");
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, election);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, election));
		definition.setLazyInit(false);
		return definition;
	}

}
