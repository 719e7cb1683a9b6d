package io.leaderelection.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;

/**
 * An {@code application.yml} of the documentation: whether somebody reads what it says,
 * and takes the values.
 */
final class Configuration {

	private static final KnownProperties KNOWN = new KnownProperties();

	private static final String ELECTIONS = "leader-election.elections";

	private Configuration() {
	}

	static List<String> problems(String yaml) throws IOException {
		List<PropertySource<?>> documents = new YamlPropertySourceLoader().load("documented",
				new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
		List<String> problems = new ArrayList<>();
		for (PropertySource<?> document : documents) {
			for (String name : ((EnumerablePropertySource<?>) document).getPropertyNames()) {
				if (!KNOWN.include(name)) {
					problems.add("Nobody reads " + name);
				}
				if (name.equals("leader-election.backend") && !KNOWN.backends().contains(document.getProperty(name))) {
					problems.add("There is no backend " + document.getProperty(name));
				}
			}
		}
		bind(documents, problems);
		return problems;
	}

	private static void bind(List<PropertySource<?>> documents, List<String> problems) {
		ApplicationConversionService conversion = new ApplicationConversionService();
		conversion.addConverter((Converter<?, ?>) BeanUtils.instantiateClass(
				ClassUtils.resolveClassName("io.leaderelection.autoconfigure.ElectionDeclarationConverter", null)));
		Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources.from(documents);
		Binder binder = new Binder(sources, null, conversion);
		NoUnboundElementsBindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, (source) -> true);
		for (Map.Entry<String, String> group : KNOWN.groups().entrySet()) {
			Class<?> type = ClassUtils.resolveClassName(group.getValue(), null);
			String prefix = group.getKey();
			try {
				binder.bind(prefix, Bindable.of(type));
				if (prefix.equals("leader-election")) {
					Class<?> election = ClassUtils.resolveClassName(type.getName() + "$Election",
							type.getClassLoader());
					binder.bind(ELECTIONS, Bindable.mapOf(String.class, election), strict);
				}
			}
			catch (BindException ex) {
				problems.add(ex.getMessage() + ": " + Objects.requireNonNull(ex.getCause()).getMessage());
			}
		}
	}

}
