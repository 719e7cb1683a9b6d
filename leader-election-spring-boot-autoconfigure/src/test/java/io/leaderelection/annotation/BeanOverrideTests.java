package io.leaderelection.annotation;

import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans with {@code @LeaderOnly} methods that a test overrides.
 */
@SpringJUnitConfig
@DirtiesContext
class BeanOverrideTests {

	@MockitoBean
	private Mocked mocked;

	@MockitoSpyBean
	private Spied spied;

	@Test
	void aMockNeedsNoGuard() {
		this.mocked.work();
		assertThat(Mockito.mockingDetails(this.mocked).isMock()).isTrue();
	}

	@Test
	void aSpyNeedsNoGuard() {
		assertThat(Mockito.mockingDetails(this.spied).isSpy()).isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class })
	static class Application {

		@Bean
		LeaseStore store() {
			return new InMemoryLeaseStore();
		}

		@Bean
		Mocked mocked() {
			return new Mocked();
		}

		@Bean
		Spied spied() {
			return new Spied();
		}

	}

	static class Mocked {

		@LeaderOnly
		void work() {
		}

	}

	static class Spied {

		@LeaderOnly
		void work() {
		}

	}

}
