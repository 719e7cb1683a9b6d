package io.leaderelection.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * A backend and what it needs of the application.
 */
enum PossibleBackend {

	REDIS(Backend.REDIS, "org.springframework.boot:spring-boot-starter-data-redis",
			List.of("org.springframework.data.redis.connection.RedisConnectionFactory"),
			List.of("org.springframework.data.redis.connection.RedisConnectionFactory"), null),

	JDBC(Backend.JDBC, "org.springframework.boot:spring-boot-starter-jdbc",
			List.of("org.springframework.jdbc.core.JdbcOperations",
					"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer"),
			List.of("javax.sql.DataSource"), null),

	ETCD(Backend.ETCD, "io.etcd:jetcd-core", List.of("io.etcd.jetcd.Client"),
			List.of("io.etcd.jetcd.Client", "io.leaderelection.etcd.EtcdConnectionDetails"),
			"leader-election.etcd.endpoints"),

	KUBERNETES(Backend.KUBERNETES, "io.fabric8:kubernetes-client",
			List.of("io.fabric8.kubernetes.client.KubernetesClient"),
			List.of("io.fabric8.kubernetes.client.KubernetesClient"), "leader-election.kubernetes.namespace") {

		/** Outside a cluster, a client finds a KUBECONFIG that nobody has named here. */
		@Override
		Optional<String> surroundings(Environment environment) {
			if (CloudPlatform.KUBERNETES.isActive(environment)) {
				return Optional.of("that the application runs in Kubernetes");
			}
			return BackendChoice.configured(environment)
				.filter(Backend.KUBERNETES::equals)
				.map((kubernetes) -> "the property " + BackendChoice.PROPERTY);
		}

	},

	ZOOKEEPER(Backend.ZOOKEEPER, "org.springframework.integration:spring-integration-zookeeper",
			List.of("org.apache.curator.framework.CuratorFramework"),
			List.of("org.apache.curator.framework.CuratorFramework",
					"io.leaderelection.zookeeper.ZooKeeperConnectionDetails"),
			"leader-election.zookeeper.connect-string"),

	DYNAMODB(Backend.DYNAMODB, "software.amazon.awssdk:dynamodb",
			List.of("software.amazon.awssdk.services.dynamodb.DynamoDbClient"),
			List.of("software.amazon.awssdk.services.dynamodb.DynamoDbClient"), "leader-election.dynamodb.region");

	private final Backend backend;

	private final String dependency;

	private final List<String> classes;

	private final List<String> beans;

	private final @Nullable String property;

	PossibleBackend(Backend backend, String dependency, List<String> classes, List<String> beans,
			@Nullable String property) {
		this.backend = backend;
		this.dependency = dependency;
		this.classes = classes;
		this.beans = beans;
		this.property = property;
	}

	Backend backend() {
		return this.backend;
	}

	/**
	 * Looks for what this backend needs.
	 * @param environment where its properties are
	 * @param beanFactory where its beans are
	 * @return what was found, and what is missing
	 */
	Finding look(Environment environment, ConfigurableListableBeanFactory beanFactory) {
		Optional<String> missing = missingClass(beanFactory.getBeanClassLoader());
		if (missing.isPresent()) {
			return new Finding(this.backend, false, "%s is not on the class path".formatted(missing.get()),
					"Add the dependency %s.".formatted(this.dependency));
		}
		if (this.property != null
				&& Binder.get(environment).bind(this.property, Bindable.listOf(String.class)).isBound()) {
			return found("the property " + this.property);
		}
		for (String type : this.beans) {
			List<String> names = beanNames(beanFactory, type);
			if (!names.isEmpty()) {
				return found("the %s bean '%s'".formatted(ClassUtils.getShortName(type), String.join("', '", names)));
			}
		}
		Optional<String> surroundings = surroundings(environment);
		if (surroundings.isPresent()) {
			return found(surroundings.get());
		}
		String beanType = ClassUtils.getShortName(this.beans.get(0));
		return new Finding(this.backend, false, "there is no %s bean".formatted(beanType),
				(this.property != null) ? "Define a %s bean, or set %s.".formatted(beanType, this.property)
						: "Define a %s bean.".formatted(beanType));
	}

	/**
	 * What makes this backend possible though the application says nothing of it.
	 * @param environment where the application runs
	 * @return what was found
	 */
	Optional<String> surroundings(Environment environment) {
		return Optional.empty();
	}

	/**
	 * A class that this backend cannot do without.
	 * @param classLoader where to look for it
	 * @return its name; empty if all are there
	 */
	Optional<String> missingClass(@Nullable ClassLoader classLoader) {
		return this.classes.stream().filter((name) -> !ClassUtils.isPresent(name, classLoader)).findFirst();
	}

	/**
	 * All that is looked for by name.
	 * @return the names of classes
	 */
	Set<String> types() {
		return Stream.of(this.classes, this.beans).flatMap(List::stream).collect(Collectors.toSet());
	}

	static Optional<PossibleBackend> of(Backend backend) {
		return Arrays.stream(values()).filter((candidate) -> candidate.backend == backend).findFirst();
	}

	private Finding found(String what) {
		return new Finding(this.backend, true, what, "");
	}

	private static List<String> beanNames(ConfigurableListableBeanFactory beanFactory, String type) {
		Class<?> resolved;
		try {
			resolved = ClassUtils.forName(type, beanFactory.getBeanClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return List.of();
		}
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, resolved, true, false))
			.filter((name) -> isCandidate(beanFactory, name))
			.toList();
	}

	private static boolean isCandidate(ConfigurableListableBeanFactory beanFactory, String name) {
		return !beanFactory.containsBeanDefinition(name) || beanFactory.getBeanDefinition(name).isAutowireCandidate();
	}

	/**
	 * What is known of a backend.
	 *
	 * @param backend the backend
	 * @param possible whether everything is there
	 * @param reason what is there, or what is missing
	 * @param remedy what to do about what is missing
	 */
	record Finding(Backend backend, boolean possible, String reason, String remedy) {
	}

}
