package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.LeaseRecord;
import org.junit.jupiter.api.Test;

import static io.leaderelection.zookeeper.ZooKeeperLeaseRecords.FORMAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LeaseRecordTests {

	private static final String HEARTBEAT = "ffffffffffffffff";

	@Test
	void aRecordComesBackAsItWasWritten() {
		for (LeaseRecord record : List.of(
				new LeaseRecord(1, Duration.ofSeconds(10), null, null, null), new LeaseRecord(Long.MAX_VALUE - 1,
						Duration.ofNanos(1), new Owner("a node\u2028", ""), HEARTBEAT, null),
				new LeaseRecord(7, Duration.ofMillis(1500), null, null, "漢字"))) {
			assertThat(FORMAT.read(FORMAT.write(record))).isEqualTo(record);
		}
	}

	@Test
	void whatNoStoreHasWrittenIsRefused() {
		String good = new String(
				FORMAT.write(new LeaseRecord(5, Duration.ofSeconds(1), new Owner("a", "b"), HEARTBEAT, null)),
				StandardCharsets.UTF_8);
		for (String bad : List.of("", "garbage", "{\"token\": 1}", good.replace("token 5", "token -1"),
				good.replace("token 5", "token 0"), good.replace("token 5", "token five"),
				good.replace("token 5", "token " + Long.MAX_VALUE), good.replace("PT1S", "PT99999999H"),
				good.replace("token 5\n", ""), good.replace("PT1S", "PT-1S"), good.replace("PT1S", "soon"),
				good.replace("holder", "folder"), good.replace("leader-election 1", "leader-election 2"))) {
			assertThatIllegalArgumentException().as(bad)
				.isThrownBy(() -> FORMAT.read(bad.getBytes(StandardCharsets.UTF_8)));
		}
	}

}
