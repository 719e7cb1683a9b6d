package io.leaderelection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.awaitility.Awaitility.await;

/**
 * The nodes of one test, on one store, stopped after it; and what they log.
 */
public final class Nodes implements BeforeEachCallback, AfterEachCallback {

	/** Long enough that nothing in a test ends by itself. */
	public static final ElectionSettings LONG = ElectionSettings.builder()
		.leaseDuration(Duration.ofSeconds(60))
		.drainTimeout(Duration.ofSeconds(30))
		.build();

	/** Short enough to wait for its end. */
	public static final ElectionSettings SHORT = ElectionSettings.builder()
		.leaseDuration(Duration.ofSeconds(1))
		.drainTimeout(Duration.ofSeconds(30))
		.build();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final List<LeaderElections> nodes = new ArrayList<>();

	private final List<Gate> gates = new ArrayList<>();

	private final Logger logger = Logger.getLogger("io.leaderelection");

	private final Log log = new Log();

	public InMemoryLeaseStore store() {
		return this.store;
	}

	/** A way to the store that can be troubled. */
	public TroubledStore troubledStore() {
		return new TroubledStore(this.store);
	}

	/** A gate that is opened after the test, so that nobody waits for ever. */
	public Gate gate() {
		Gate gate = new Gate();
		this.gates.add(gate);
		return gate;
	}

	public LeaderElections start(String nodeId, ElectionSettings settings) {
		return start(nodeId, settings, this.store);
	}

	public LeaderElections start(String nodeId, ElectionSettings settings, LeaseStore store) {
		LeaderElections node = make(nodeId, settings, store);
		node.start();
		return node;
	}

	public LeaderElections make(String nodeId, ElectionSettings settings, LeaseStore store) {
		LeaderElections node = LeaderElections.on(store).nodeId(nodeId).settings(settings).build();
		this.nodes.add(node);
		return node;
	}

	/** What was logged at this level, oldest first. */
	public List<String> logged(Level level) {
		return this.log.records.stream()
			.filter((entry) -> entry.getLevel().equals(level))
			.map(LogRecord::getMessage)
			.toList();
	}

	/** Awaits a condition, with time to spare on a busy machine. */
	public static void until(Callable<Boolean> condition) {
		await().atMost(Duration.ofSeconds(60))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.until(condition);
	}

	public static LeaderElector leading(LeaderElector elector) {
		until(elector::isLeader);
		return elector;
	}

	/** The node has asked for the lease and was refused. */
	public static LeaderElector standingBy(LeaderElector elector) {
		until(() -> elector.getCurrentLeader().isPresent() && !elector.isLeader());
		return elector;
	}

	/** Begins work that goes on without a thread. */
	public static Work workUnderWay(LeaderElector elector) {
		try (Work begun = elector.begin(OnLoss.SIGNAL).orElseThrow()) {
			return begun.detached();
		}
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.logger.setUseParentHandlers(false);
		this.logger.addHandler(this.log);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		this.gates.forEach(Gate::open);
		this.nodes.forEach(LeaderElections::stop);
		this.logger.removeHandler(this.log);
		this.logger.setUseParentHandlers(true);
	}

	private static final class Log extends Handler {

		private final List<LogRecord> records = new CopyOnWriteArrayList<>();

		@Override
		public void publish(LogRecord entry) {
			this.records.add(entry);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	}

}
