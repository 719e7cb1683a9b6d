package io.leaderelection.actuate;

import java.util.Map;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a node says of its elections among the information about the application.
 */
@Timeout(60)
class LeaderElectionInfoTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class,
				LeaderElectionActuatorAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=local", "leader-election.node-id=node-a",
				"leader-election.elections.reports=", "leader-election.elections.mails=");

	@Test
	void itSaysWhichElectionsThisNodeLeads() {
		this.application.run((context) -> {
			LeaderElections elections = context.getBean(LeaderElections.class);
			assertThat(elections.elector("mails").operations().pause()).succeedsWithin(EndpointNode.PATIENCE);
			LeaderElector reports = elections.elector("reports");
			await().until(reports::isLeader);
			assertThat(info(context.getBean(InfoContributor.class))).isEqualTo(Map.of("leaderElection",
					Map.of("nodeId", "node-a", "backend", "local", "leads", Map.of("reports", true, "mails", false))));
		});
	}

	@Test
	void itIsThereUnlessToldOtherwise() {
		this.application.withPropertyValues("management.info.leader-election.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(InfoContributor.class));
		this.application.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledInfoContributor.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InfoContributor.class));
		this.application.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(InfoContributor.class));
		this.application
			.withBean(LeaderElectionInfoContributor.class,
					() -> new LeaderElectionInfoContributor(
							LeaderElections.on(new InMemoryLeaseStore()).nodeId("node-a").build(),
							"of the application"))
			.run((context) -> assertThat(context).hasSingleBean(InfoContributor.class));
	}

	private static Map<String, Object> info(InfoContributor contributor) {
		Info.Builder info = new Info.Builder();
		contributor.contribute(info);
		return info.build().getDetails();
	}

}
