package io.leaderelection.actuate;

import java.lang.management.ManagementFactory;
import java.util.UUID;

import javax.management.JMException;
import javax.management.MBeanOperationInfo;
import javax.management.ObjectName;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What Spring Boot's properties for the access to endpoints mean for this one.
 */
@Timeout(120)
class LeaderEndpointAccessTests {

	private static final String PAUSE = "{\"action\": \"pause\"}";

	private final String domain = "leader-" + UUID.randomUUID();

	@Test
	void itIsReadOnlyByDefault() throws JMException {
		try (EndpointNode node = start()) {
			assertReadOnly(node);
			ObjectName name = new ObjectName(this.domain + ":type=Endpoint,name=Leader");
			assertThat(ManagementFactory.getPlatformMBeanServer().getMBeanInfo(name).getOperations())
				.extracting(MBeanOperationInfo::getName)
				.containsExactlyInAnyOrder("node", "election");
		}
	}

	@Test
	void whatIsPermittedAtMostGoesFirst() {
		try (EndpointNode node = start("management.endpoint.leader.access=unrestricted",
				"management.endpoints.access.max-permitted=read-only")) {
			assertReadOnly(node);
		}
	}

	@Test
	void withoutAccessThereIsNoEndpoint() throws JMException {
		try (EndpointNode node = start("management.endpoint.leader.access=none")) {
			await().until(node.elector("reports")::isLeader);
			assertThat(node.get("").status()).isEqualTo(404);
			assertThat(node.get("/reports").status()).isEqualTo(404);
			assertThat(node.post("/reports", PAUSE).status()).isEqualTo(404);
			assertThat(node.elector("reports").isLeader()).isTrue();
			assertThat(ManagementFactory.getPlatformMBeanServer()
				.queryNames(new ObjectName(this.domain + ":type=Endpoint,*"), null)).isEmpty();
		}
	}

	private static void assertReadOnly(EndpointNode node) {
		await().until(node.elector("reports")::isLeader);
		assertThat(node.get("").status()).isEqualTo(200);
		assertThat(node.get("/reports").status()).isEqualTo(200);
		assertThat(node.post("/reports", PAUSE).status()).isEqualTo(405);
		assertThat(node.post("/a/b", PAUSE).status()).isEqualTo(405);
		assertThat(node.elector("reports").isLeader()).isTrue();
	}

	private EndpointNode start(String... properties) {
		String[] all = new String[properties.length + 4];
		all[0] = "spring.jmx.enabled=true";
		all[1] = "spring.jmx.default-domain=" + this.domain;
		all[2] = "management.endpoints.jmx.domain=" + this.domain;
		all[3] = "management.endpoints.jmx.exposure.include=leader";
		System.arraycopy(properties, 0, all, 4, properties.length);
		return EndpointNode.withoutSecurity(WebApplicationType.SERVLET, all);
	}

}
