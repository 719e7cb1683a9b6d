package io.leaderelection.actuate;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

import javax.management.JMException;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.leaderelection.actuate.EndpointNode.Answer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over JMX. Refusals are exceptions there.
 */
class LeaderEndpointJmxTests extends LeaderEndpointContract {

	private static final int REFUSED = -1;

	private static final String TEXT = String.class.getName();

	private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

	private final String domain = "leader-" + UUID.randomUUID();

	@Override
	EndpointNode start() {
		return EndpointNode.withoutSecurity(WebApplicationType.NONE, "spring.jmx.enabled=true",
				"spring.jmx.default-domain=" + this.domain, "management.endpoints.jmx.domain=" + this.domain,
				"management.endpoints.jmx.exposure.include=leader", "management.endpoint.leader.access=unrestricted");
	}

	@Override
	Answer read() {
		return invoke("node");
	}

	@Override
	Answer read(String election) {
		return invoke("election", election);
	}

	@Override
	Answer act(String election, Map<String, String> wish) {
		return invoke("act", election, wish.get("action"), wish.get("to"), wish.get("holdOff"));
	}

	@Override
	int status(int http) {
		return REFUSED;
	}

	@Test
	void whoeverLooksAtItIsToldWhatItDoes() throws JMException {
		MBeanInfo info = this.server.getMBeanInfo(name());
		assertThat(info.getOperations()).extracting(MBeanOperationInfo::getName)
			.containsExactlyInAnyOrder("node", "election", "act");
		assertThat(info.getOperations()).filteredOn((operation) -> operation.getName().equals("act"))
			.singleElement()
			.satisfies((operation) -> {
				assertThat(operation.getDescription()).isEqualTo("Moves leadership");
				assertThat(operation.getSignature()).extracting((parameter) -> parameter.getName())
					.containsExactly("election", "action", "to", "holdOff");
				assertThat(operation.getSignature()[1].getDescription())
					.isEqualTo("step-down, transfer, pause or resume");
			});
	}

	@SuppressWarnings("unchecked")
	private Answer invoke(String operation, String... arguments) {
		String[] signature = new String[arguments.length];
		Arrays.fill(signature, TEXT);
		try {
			Map<String, Object> answer = (Map<String, Object>) this.server.invoke(name(), operation, arguments,
					signature);
			if (answer == null) {
				return new Answer(404, Map.of());
			}
			return new Answer(Boolean.FALSE.equals(answer.get("complete")) ? 202 : 200, answer);
		}
		catch (MBeanException ex) {
			return new Answer(REFUSED, Map.of("detail", String.valueOf(ex.getTargetException().getMessage())));
		}
		catch (JMException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ObjectName name() throws JMException {
		return new ObjectName(this.domain + ":type=Endpoint,name=Leader");
	}

}
