package io.leaderelection.annotation;

import java.util.function.Consumer;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application of a test, which leads or follows.
 */
record Application(ApplicationContextRunner runner, Leases leases) {

	static Application of(Class<?>... configuration) {
		Leases leases = new Leases();
		return new Application(new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class,
					LeaderOnlyAutoConfiguration.class, AopAutoConfiguration.class))
			.withBean(Leases.class, () -> leases)
			.withUserConfiguration(configuration), leases);
	}

	Application with(String... properties) {
		return new Application(this.runner.withPropertyValues(properties), this.leases);
	}

	/** Runs the test while this application leads all its elections. */
	void leads(Consumer<AssertableApplicationContext> test) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			LeaderElections elections = context.getBean(LeaderElections.class);
			await().until(() -> elections.electors().stream().allMatch(LeaderElector::isLeader));
			test.accept(context);
		});
	}

	/** Runs the test while another node leads. */
	void follows(Consumer<AssertableApplicationContext> test) {
		follows("default", test);
	}

	void follows(String election, Consumer<AssertableApplicationContext> test) {
		try (LeaderElections rival = this.leases.rival(election)) {
			this.runner.run((context) -> {
				assertThat(context).hasNotFailed();
				LeaderElector elector = context.getBean(LeaderElections.class).elector(election);
				await().until(() -> elector.getCurrentLeader().isPresent());
				assertThat(elector.getCurrentLeader().orElseThrow().nodeId()).isEqualTo(rival.nodeId());
				test.accept(context);
			});
		}
	}

	/** Expects that the start is refused. */
	void fails(String... messages) {
		this.runner.run((context) -> {
			assertThat(context).hasFailed();
			Throwable cause = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
			assertThat(cause).isInstanceOf(LeaderOnlyMisuseException.class);
			FailureAnalysis analysis = new LeaderOnlyMisuseFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis.getDescription() + analysis.getAction()).contains(messages);
		});
	}

}
