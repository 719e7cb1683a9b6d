package io.leaderelection.nodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.nodes.NodeProcess.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A leader is stopped in an open transaction, another one takes over and commits, and the
 * first one wakes up and goes on.
 */
@Timeout(300)
public abstract class PausedInATransactionContract {

	private static final Duration LEASE = Duration.ofSeconds(3);

	/**
	 * The properties by which the application finds its backend and its database, and the
	 * table to write to.
	 * @return properties as {@code name=value}
	 */
	protected abstract List<String> properties();

	/**
	 * What the table holds.
	 * @return the token of whoever wrote to it
	 */
	protected abstract long written();

	@Test
	void theCommitOfALeaderThatWasPausedIsRefused() {
		try (NodeProcess first = start("first")) {
			long firstToken = first.await("OPENED").token();
			try (NodeProcess second = start("second")) {
				second.await("READY");
				first.signal("STOP");
				Said opened = second.await("OPENED");
				assertThat(opened.token()).isGreaterThan(firstToken);
				second.tell("go on");
				second.await("COMMITTED");
				assertThat(written()).isEqualTo(opened.token());

				first.signal("CONT");
				first.tell("go on");
				assertThat(first.await("WROTE").token()).isEqualTo(firstToken);
				assertThat(first.await("REFUSED").token()).isEqualTo(firstToken);
				assertThat(first.find("COMMITTED", 0)).isEmpty();
				assertThat(written()).isEqualTo(opened.token());
			}
		}
	}

	private NodeProcess start(String nodeId) {
		List<String> properties = new ArrayList<>(properties());
		properties.add("leader-election.lease-duration=" + LEASE.toMillis() + "ms");
		return NodeProcess.start(nodeId, properties);
	}

}
