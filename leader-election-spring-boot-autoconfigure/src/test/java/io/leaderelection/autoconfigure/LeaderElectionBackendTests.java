package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.leaderelection.LeaderElections;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A backend that is not part of this project is selected like ours.
 */
class LeaderElectionBackendTests {

	@TempDir
	private Path directory;

	private ApplicationContextRunner application;

	@BeforeEach
	void register() throws IOException {
		Path factories = Files.createDirectories(this.directory.resolve("META-INF")).resolve("spring.factories");
		Files.writeString(factories,
				"%s=%s".formatted(LeaderElectionBackend.class.getName(), ChalkboardBackend.class.getName()));
		this.application = new ApplicationContextRunner().withClassLoader(classLoader())
			.withConfiguration(
					AutoConfigurations.of(ChalkboardAutoConfiguration.class, LeaderElectionAutoConfiguration.class));
	}

	private ClassLoader classLoader() throws MalformedURLException {
		return new URLClassLoader(new URL[] { this.directory.toUri().toURL() }, getClass().getClassLoader());
	}

	@ParameterizedTest
	@ValueSource(strings = { "leader-election.backend=chalkboard", "leader-election.backend=Chalk-Board" })
	void isSelectedByItsName(String property) {
		this.application.withPropertyValues("leader-election.chalkboard.room=7", property)
			.run((context) -> assertThat(context).hasSingleBean(LeaderElections.class)
				.getBean(LeaseStore.class)
				.isInstanceOf(InMemoryLeaseStore.class));
	}

	@Test
	void isSelectedIfItAloneIsAvailable() {
		this.application.withPropertyValues("leader-election.chalkboard.room=7")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.isInstanceOf(ChalkboardBackend.class));
	}

	@Test
	void isNamedIfItIsNotAvailable() {
		this.application.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("chalkboard: there is no LeaderElectionBackendTests.Chalkboard bean"));
	}

	@Test
	void isAvailableByItsPropertyAloneIfItHasNoBeans() {
		LeaderElectionBackend backend = new ChalkboardBackend() {

			@Override
			public List<String> beanTypes() {
				return List.of();
			}

		};
		BackendAvailability availability = BackendAvailability.of(backend, new StandardEnvironment(),
				new DefaultListableBeanFactory());
		assertThat(availability.available()).isFalse();
		assertThat(availability.reason()).isEqualTo("leader-election.chalkboard.room is not set");
		assertThat(availability.remedy()).isEqualTo("Set leader-election.chalkboard.room.");
	}

	@Test
	void isNotUsedWithoutLeaderElection() {
		this.application.withPropertyValues("leader-election.enabled=false", "leader-election.backend=chalkboard")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseStore.class));
	}

	@Test
	void anUnknownNameIsRejected() {
		this.application.withPropertyValues("leader-election.backend=consul")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(UndecidedBackendException.class, (failure) -> {
					assertThat(failure).hasMessage(
							"leader-election.backend is consul, but no backend of this name is on the class path.");
					assertThat(failure.getAction())
						.startsWith("Change leader-election.backend to one of: chalkboard, ");
				}));
	}

	@Test
	void aModuleOfThisProjectThatIsMissingIsTheDependencyToAdd() {
		this.application.withPropertyValues("leader-election.backend=etcd")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(UndecidedBackendException.class, (failure) -> assertThat(failure.getAction())
					.startsWith("Add the dependency io.leaderelection:leader-election-etcd. Or change")));
		this.application.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOfSatisfying(UndecidedBackendException.class, (failure) -> assertThat(failure.getAction())
				.contains("- etcd: Add the dependency io.leaderelection:leader-election-etcd.")));
	}

	static class ChalkboardBackend implements LeaderElectionBackend {

		@Override
		public String name() {
			return "chalkboard";
		}

		@Override
		public String clientDependency() {
			return "com.example:chalkboard";
		}

		@Override
		public List<String> requiredClasses() {
			return List.of(Chalkboard.class.getName());
		}

		@Override
		public List<String> beanTypes() {
			return List.of(Chalkboard.class.getName());
		}

		@Override
		public String property() {
			return "leader-election.chalkboard.room";
		}

	}

	static final class Chalkboard {

	}

	@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
	@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
	@ConditionalOnBackend("chalkboard")
	@ConditionalOnMissingBean(LeaseStore.class)
	static class ChalkboardAutoConfiguration {

		@Bean
		LeaderElectionBackend chalkboardBackend() {
			return new ChalkboardBackend();
		}

		@Bean
		LeaseStore chalkboardStore() {
			return new InMemoryLeaseStore();
		}

	}

}
