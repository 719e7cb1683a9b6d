package io.leaderelection.engine.runtime;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElector;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class DefaultLeaderElectionsTests {

	private final AtomicBoolean exhausted = new AtomicBoolean(true);

	private final DefaultLeaderElections elections = new DefaultLeaderElections(new InMemoryLeaseStore(), "node",
			ElectionSettings.defaults(), System.getLogger(Logger.class.getName()), (role) -> this::thread);

	private Thread thread(Runnable task) {
		if (this.exhausted.get()) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	}

	@Test
	void aStartWithoutThreadsFailsAndMayBeRepeated() {
		LeaderElector elector = this.elections.elector("reports");
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.elections::start);
		assertThat(this.elections.isRunning()).isFalse();
		this.exhausted.set(false);
		this.elections.start();
		until(elector::isLeader);
		this.elections.close();
	}

}
