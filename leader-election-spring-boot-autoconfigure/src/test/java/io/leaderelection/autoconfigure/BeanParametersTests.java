package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.LeaderElections;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the methods that make beans ask for.
 */
class BeanParametersTests {

	/**
	 * Spring looks under the name of a parameter first. If there is nothing, it asks all
	 * beans of the application for their type, which takes part of a millisecond each
	 * time while an application starts.
	 */
	@Test
	void areCalledAsTheBeanThatIsMeant() throws Exception {
		List<Method> methods = beanMethods();
		Map<Class<?>, Set<String>> names = methods.stream()
			.collect(Collectors.groupingBy(Method::getReturnType,
					Collectors.mapping(BeanParametersTests::beanName, Collectors.toSet())));
		assertThat(names.get(LeaderElections.class)).containsExactly("leaderElections");
		List<String> others = new ArrayList<>();
		for (Method method : methods) {
			for (Parameter parameter : method.getParameters()) {
				Class<?> type = wanted(parameter);
				Set<String> meant = isAnybodys(type) ? Set.of() : names.getOrDefault(type, Set.of());
				if (meant.size() == 1 && !meant.contains(parameter.getName())) {
					others.add("%s: %s should be %s".formatted(method, parameter.getName(), meant));
				}
			}
		}
		assertThat(others).isEmpty();
	}

	/** The application may have several of them, whatever they are called. */
	private static boolean isAnybodys(Class<?> type) {
		return type.isInterface() && type != LeaderElections.class;
	}

	private static Class<?> wanted(Parameter parameter) {
		ResolvableType type = ResolvableType.forType(parameter.getParameterizedType());
		return (parameter.getType() == ObjectProvider.class) ? type.getGeneric().toClass() : type.toClass();
	}

	private static String beanName(Method method) {
		Bean bean = AnnotatedElementUtils.getMergedAnnotation(method, Bean.class);
		return (bean == null || ObjectUtils.isEmpty(bean.name())) ? method.getName() : bean.name()[0];
	}

	private static List<Method> beanMethods() throws IOException, URISyntaxException {
		Path classes = Path
			.of(LeaderElectionAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (Stream<Path> files = Files.walk(classes)) {
			return files.map((file) -> classes.relativize(file).toString())
				.filter((file) -> file.endsWith("Configuration.class") || file.contains("Configurations$"))
				.map((file) -> ClassUtils.resolveClassName(
						ClassUtils.convertResourcePathToClassName(file.substring(0, file.length() - ".class".length())),
						BeanParametersTests.class.getClassLoader()))
				.flatMap((type) -> Stream.of(type.getDeclaredMethods()))
				.filter((method) -> AnnotatedElementUtils.hasAnnotation(method, Bean.class))
				.toList();
		}
	}

}
