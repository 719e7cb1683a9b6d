package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.leaderelection.store.Owner;
import io.leaderelection.zookeeper.LeaseRecord.Free;
import io.leaderelection.zookeeper.LeaseRecord.Held;
import io.leaderelection.zookeeper.LeaseRecord.Reserved;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LeaseRecordTests {

	@Test
	void aRecordComesBackAsItWasWritten() {
		for (LeaseRecord record : List.of(new Free(1, Duration.ofSeconds(10)),
				new Held(new Owner("a node\u2028", ""), -1, Long.MAX_VALUE - 1, Duration.ofNanos(1)),
				new Reserved("漢字", 7, Duration.ofMillis(1500)))) {
			assertThat(LeaseRecord.parse(record.toBytes())).isEqualTo(record);
		}
	}

	@Test
	void whatNoStoreHasWrittenIsRefused() {
		String good = new String(new Held(new Owner("a", "b"), 1, 5, Duration.ofSeconds(1)).toBytes(),
				StandardCharsets.UTF_8);
		for (String bad : List.of("", "garbage", "{\"token\": 1}", good.replace("token 5", "token -1"),
				good.replace("token 5", "token 0"), good.replace("token 5", "token five"),
				good.replace("token 5", "token " + Long.MAX_VALUE), good.replace("PT1S", "PT99999999H"),
				good.replace("token 5\n", ""), good.replace("PT1S", "PT-1S"), good.replace("PT1S", "soon"),
				good.replace("session", "cession"), good.replace("leader-election 1", "leader-election 2"))) {
			assertThatIllegalArgumentException().as(bad)
				.isThrownBy(() -> LeaseRecord.parse(bad.getBytes(StandardCharsets.UTF_8)));
		}
	}

}
