package io.leaderelection.fencing;

import java.time.Duration;
import java.util.List;

import io.leaderelection.FencingToken;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FencingTokenServiceTests {

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final FencingTokenService tokens = new FencingTokenService(this.store);

	@Test
	void withoutALeaderThereIsNoToken() {
		assertThat(this.tokens.currentToken("reports")).isEmpty();
		assertThat(this.tokens.validate(new FencingToken("reports", 1))).isFalse();
	}

	@Test
	void theTokenOfTheLeaderIsTheNewest() {
		Lease lease = acquire("first", Duration.ofSeconds(30));
		FencingToken token = new FencingToken("reports", lease.token());
		assertThat(this.tokens.currentToken("reports")).contains(token);
		assertThat(this.tokens.validate(token)).isTrue();
		assertThat(this.tokens.validate(new FencingToken("reports", lease.token() + 1))).as("never granted").isFalse();
		assertThat(this.tokens.validate(new FencingToken("mails", lease.token()))).isFalse();
	}

	@Test
	void aTokenStaysTheNewestWhenItsLeaseIsGivenUp() {
		Lease lease = acquire("first", Duration.ofSeconds(30));
		this.store.release(List.of(lease));
		assertThat(this.tokens.currentToken("reports")).isEmpty();
		assertThat(this.tokens.validate(new FencingToken("reports", lease.token()))).isTrue();

		Lease next = acquire("second", Duration.ofSeconds(30));
		assertThat(this.tokens.currentToken("reports")).contains(new FencingToken("reports", next.token()));
		assertThat(this.tokens.validate(new FencingToken("reports", lease.token()))).isFalse();
	}

	@Test
	void aTokenStaysTheNewestWhenItsLeaseEnds() {
		Lease lease = acquire("first", Duration.ofMillis(50));
		Awaitility.await().until(() -> this.tokens.currentToken("reports").isEmpty());
		assertThat(this.tokens.validate(new FencingToken("reports", lease.token()))).isTrue();
	}

	private Lease acquire(String node, Duration duration) {
		Owner owner = new Owner(node, "run");
		Granted granted = (Granted) this.store.acquire(List.of(new AcquireRequest("reports", owner, duration, 0, true)))
			.get(0);
		return new Lease("reports", owner, granted.token(), duration);
	}

}
