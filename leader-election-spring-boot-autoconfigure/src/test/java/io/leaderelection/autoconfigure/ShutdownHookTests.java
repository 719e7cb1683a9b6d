package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What happens when the JVM is told to end, before Spring has closed anything.
 */
@Timeout(60)
class ShutdownHookTests {

	private final GenericApplicationContext context = new GenericApplicationContext();

	private final LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore())
		.nodeId("node-1")
		.rehearse(false)
		.build();

	private final LeaderElector elector = this.elections.elector("reports");

	private final RecordedHooks hooks = new RecordedHooks();

	private final ElectionsLifecycle lifecycle = new ElectionsLifecycle(this.elections, this.context, "a store", true,
			this.hooks);

	@AfterEach
	void close() {
		this.elections.close();
		this.context.close();
	}

	@Test
	void leadershipIsGivenUpAtOnceWhenTheJvmEnds() {
		List<String> seen = new ArrayList<>();
		this.elector.onLeadershipLost(() -> seen.add("lost, running: " + this.elections.isRunning()));
		lead();
		this.hooks.run();
		await().until(() -> !this.elections.isRunning());
		assertThat(seen).containsExactly("lost, running: true");
		assertThat(this.elector.isLeader()).isFalse();
	}

	@Test
	void aContextThatClosesMeanwhileWaitsUntilLeadershipIsGivenUp() {
		lead();
		this.hooks.run();
		this.lifecycle.contextClosed(new ContextClosedEvent(this.context));
		assertThat(this.elections.isRunning()).isFalse();
	}

	@Test
	void anApplicationThatBecomesReadyAfterwardsDoesNotStand() {
		lead();
		this.hooks.run();
		await().until(() -> !this.elections.isRunning());
		this.lifecycle.applicationReady(readyEvent());
		assertThat(this.elections.isRunning()).isFalse();
	}

	@Test
	void nothingIsLeftBehindInTheJvmByAContextThatIsClosed() {
		lead();
		assertThat(this.hooks.present).hasSize(1);
		this.lifecycle.contextClosed(new ContextClosedEvent(this.context));
		assertThat(this.hooks.present).isEmpty();
	}

	@Test
	void thereIsOneHookForAContextThatIsStoppedAndStartedAgain() {
		lead();
		this.lifecycle.stop();
		assertThat(this.hooks.present).isEmpty();
		this.lifecycle.start();
		this.lifecycle.start();
		assertThat(this.hooks.present).hasSize(1);
	}

	@Test
	void whoWantsNoHookFromSpringGetsNone() {
		this.context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("spring.main.register-shutdown-hook", "false")));
		lead();
		assertThat(this.hooks.present).isEmpty();
	}

	@Test
	void aContextThatNoSpringApplicationRunsIsItsOwnersToClose() {
		this.context.refresh();
		this.lifecycle.start();
		this.lifecycle.contextRefreshed(new ContextRefreshedEvent(this.context));
		await().until(this.elector::isLeader);
		assertThat(this.hooks.present).isEmpty();
	}

	@Test
	void aJvmThatIsEndingAlreadyTakesNoHookAndHarmsNothing() {
		this.hooks.ending = true;
		lead();
		this.lifecycle.contextClosed(new ContextClosedEvent(this.context));
		assertThat(this.elections.isRunning()).isFalse();
	}

	@Test
	void theHooksOfTheJvmAreAddedAndTakenAway() {
		ShutdownHooks ofTheJvm = ShutdownHooks.ofTheJvm();
		Thread hook = new Thread();
		assertThat(ofTheJvm.add(hook)).isTrue();
		assertThat(Runtime.getRuntime().removeShutdownHook(hook)).isTrue();
		assertThat(ofTheJvm.add(hook)).isTrue();
		ofTheJvm.remove(hook);
		assertThat(Runtime.getRuntime().removeShutdownHook(hook)).isFalse();
	}

	private void lead() {
		this.context.registerBean("springApplicationArguments", DefaultApplicationArguments.class,
				() -> new DefaultApplicationArguments());
		this.context.refresh();
		this.lifecycle.start();
		this.lifecycle.applicationReady(readyEvent());
		await().until(this.elector::isLeader);
	}

	private ApplicationReadyEvent readyEvent() {
		return new ApplicationReadyEvent(new SpringApplication(), new String[0], this.context, Duration.ZERO);
	}

	/**
	 * The hooks of a JVM that ends when it is told to.
	 */
	private static final class RecordedHooks implements ShutdownHooks {

		private final List<Thread> present = new ArrayList<>();

		private boolean ending;

		@Override
		public boolean add(Thread hook) {
			if (!this.ending) {
				this.present.add(hook);
			}
			return !this.ending;
		}

		@Override
		public void remove(Thread hook) {
			assertThat(this.present.remove(hook)).isTrue();
		}

		void run() {
			this.present.forEach(Thread::run);
		}

	}

}
