package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import io.leaderelection.LeadershipEvent;
import io.leaderelection.integration.LeaderElectionIntegrationAutoConfiguration;
import io.leaderelection.test.TestLeadership;
import io.leaderelection.test.spring.AutoConfigureTestLeadership;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The examples of docs/events.md: they are what stands here, and they run.
 */
@SpringBootTest(properties = { "leader-election.elections.reports=", "leader-election.elections.mails=" })
@AutoConfigureTestLeadership
@Timeout(60)
class EventExamplesTests {

	private static final Path MODULE = Path.of("").toAbsolutePath();

	@Autowired
	TestLeadership leadership;

	@Autowired
	ReportCache cache;

	@Autowired
	Reports reports;

	@Test
	void theExamplesRun() {
		this.leadership.grant("mails");
		assertThat(this.cache.journal).containsExactly("mails is led by test-node");
		this.leadership.grant("reports");
		await().until(() -> this.reports.published.get() > 0);
		this.leadership.revoke("reports");
		assertThat(this.cache.journal).containsSubsequence("warm", "flushed: STOLEN");
		int published = this.reports.published.get();
		this.leadership.revoke("mails");
		assertThat(this.cache.journal).filteredOn((line) -> line.startsWith("flushed")).hasSize(1);
		assertThat(this.reports.published.get()).isLessThanOrEqualTo(published + 1);
	}

	@Test
	void theExamplesAreThoseThatRun() throws IOException {
		String source = squeezed(Files.readString(MODULE
			.resolve("src/test/java/%s.java".formatted(EventExamplesTests.class.getName().replace('.', '/')))));
		String page = Files.readString(MODULE.resolveSibling("docs/events.md"));
		List<String> blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
			.matcher(page)
			.results()
			.map((result) -> squeezed(result.group(1).replaceAll("(?m)^import .*$| +// .*", "")))
			.toList();
		assertThat(blocks).hasSize(2)
			.allSatisfy(
					(block) -> assertThat(source).contains(block.replace("@Componentclass", "@Componentstaticclass")));
	}

	private static String squeezed(String text) {
		return text.replaceAll("\\s+", "");
	}

	@Component
	static class ReportCache {

		private final List<String> journal = new CopyOnWriteArrayList<>();

		@EventListener(condition = "#event.election == 'reports'")
		void warmUp(LeadershipEvent.Gained event) {
			if (event.leadership().isCurrent()) {
				this.journal.add("warm");
			}
		}

		@EventListener(condition = "#event.election == 'reports'")
		void flush(LeadershipEvent.Lost event) {
			this.journal.add("flushed: " + event.reason());
		}

		@EventListener
		void tell(LeadershipEvent.LeaderChanged event) {
			this.journal.add("%s is led by %s".formatted(event.election(), event.leader().nodeId()));
		}

	}

	static class Reports {

		final AtomicInteger published = new AtomicInteger();

		String next() {
			return "report";
		}

		void publish(String report) {
			this.published.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class,
			LeaderElectionIntegrationAutoConfiguration.class })
	@Import(ReportCache.class)
	static class Application {

		@Bean
		Reports reports() {
			return new Reports();
		}

		@Bean
		IntegrationFlow reportsFlow(Reports reports) {
			return IntegrationFlow
				.fromSupplier(reports::next, (endpoint) -> endpoint.role("reports").poller(Pollers.fixedDelay(1000)))
				.handle(String.class, (report, headers) -> {
					reports.publish(report);
					return null;
				})
				.get();
		}

	}

}
