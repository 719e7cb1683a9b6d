package io.leaderelection.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import io.leaderelection.chaos.backend.Backend;
import io.leaderelection.chaos.backend.Backend.StoreFault;
import io.leaderelection.chaos.history.Fault;
import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.servers.TcpProxy;

/**
 * Does to nodes and store what is planned, and keeps a record of it. Which process a
 * fault befalls is decided when its time has come: who leads then, and to whom nothing of
 * the kind is being done already. One node at least is left alone, and the first one is
 * never ended, so that it has seen everything in the end.
 */
final class Injector {

	private static final long LONGEST_DELAY_MILLIS = 300;

	private static final long LONGEST_JUMP_SECONDS = 7200;

	private final List<ChaosNode> nodes;

	private final Backend backend;

	private final Duration lease;

	private final Semaphore mayBeDisabled;

	private final Lock store = new ReentrantLock(true);

	private final List<Fault> faults = new CopyOnWriteArrayList<>();

	Injector(List<ChaosNode> nodes, Backend backend, Duration lease) {
		this.nodes = nodes;
		this.backend = backend;
		this.lease = lease;
		this.mayBeDisabled = new Semaphore(nodes.size() - 1);
	}

	/** What was done so far. */
	List<Fault> faults() {
		return this.faults;
	}

	Optional<ChaosNode> leader() {
		return this.nodes.stream().filter((node) -> node.present().leads()).findFirst();
	}

	/** Does it, waits for as long as it lasts, and undoes it. */
	void inject(PlannedFault planned) throws Exception {
		if (this.backend.spared().contains(planned.kind())) {
			return;
		}
		StoreFault ofStore = this.backend.faults().get(planned.kind());
		if (ofStore != null) {
			befallStore(planned, ofStore);
			return;
		}
		switch (planned.kind()) {
			case KILL ->
				disable(planned, ChaosNode::process, this::mayEnd, (node) -> end(planned, node, NodeLife::kill));
			case TERMINATE ->
				disable(planned, ChaosNode::process, this::mayEnd, (node) -> end(planned, node, NodeLife::terminate));
			case STOP, PAUSED_WRITE ->
				disable(planned, ChaosNode::process, (node) -> true, (node) -> stop(planned, node));
			case HALF_OPEN -> disable(planned, ChaosNode::network, (node) -> true, (node) -> swallow(planned, node));
			case RESET -> befall(planned, ChaosNode::network, (node) -> true, (node) -> reset(planned, node));
			case DELAY -> befall(planned, ChaosNode::network, (node) -> true, (node) -> delay(planned, node));
			case CLOCK_JUMP -> befall(planned, ChaosNode::process, (node) -> true, (node) -> setClock(planned, node));
			default -> throw new IllegalArgumentException(planned.toString());
		}
	}

	/**
	 * Whatever may cost the store its memory comes at least two leases after the last.
	 */
	private void befallStore(PlannedFault planned, StoreFault fault) throws Exception {
		this.store.lock();
		try {
			long begun = System.nanoTime();
			fault.begin();
			long inForce = System.nanoTime();
			pass(planned.length());
			fault.end();
			record(planned.kind(), Fault.STORE, begun, inForce, System.nanoTime(), "");
			pass(this.lease.multipliedBy(2));
		}
		finally {
			this.store.unlock();
		}
	}

	private void disable(PlannedFault planned, Function<ChaosNode, Lock> part, Predicate<ChaosNode> may, Doing doing)
			throws Exception {
		if (!this.mayBeDisabled.tryAcquire()) {
			return;
		}
		try {
			befall(planned, part, may, doing);
		}
		finally {
			this.mayBeDisabled.release();
		}
	}

	/** On whom it is meant for, or else on the next one that is free. */
	private void befall(PlannedFault planned, Function<ChaosNode, Lock> part, Predicate<ChaosNode> may, Doing doing)
			throws Exception {
		for (ChaosNode node : inOrder(planned)) {
			Lock lock = part.apply(node);
			if (may.test(node) && lock.tryLock()) {
				try {
					doing.to(node);
				}
				finally {
					lock.unlock();
				}
				return;
			}
		}
	}

	private List<ChaosNode> inOrder(PlannedFault planned) {
		List<ChaosNode> order = new ArrayList<>();
		if (planned.ofLeader()) {
			leader().ifPresent(order::add);
		}
		int count = this.nodes.size();
		for (int i = 0; i < count; i++) {
			order.add(this.nodes.get((planned.node() + i) % count));
		}
		return order;
	}

	private boolean mayEnd(ChaosNode node) {
		return node != this.nodes.get(0) && node.present().isReady();
	}

	private void end(PlannedFault planned, ChaosNode node, Consumer<NodeLife> how) throws InterruptedException {
		NodeLife life = node.present();
		long begun = System.nanoTime();
		how.accept(life);
		life.awaitEnd();
		long inForce = System.nanoTime();
		pass(planned.length());
		record(planned.kind(), life.name(), begun, inForce, System.nanoTime(), "");
		node.start();
		node.present().awaitReady();
	}

	private void stop(PlannedFault planned, ChaosNode node) throws InterruptedException {
		NodeLife life = node.present();
		boolean writing = planned.kind() == FaultKind.PAUSED_WRITE && life.beginWrite();
		long begun = System.nanoTime();
		life.stop();
		long inForce = System.nanoTime();
		pass(planned.length());
		record(writing ? FaultKind.PAUSED_WRITE : FaultKind.STOP, life.name(), begun, inForce, System.nanoTime(), "");
		life.resume();
		if (planned.kind() == FaultKind.PAUSED_WRITE) {
			life.goOnWriting();
		}
	}

	private void swallow(PlannedFault planned, ChaosNode node) throws InterruptedException {
		boolean resetInTheEnd = planned.amount() < 0.5 && !this.backend.spared().contains(FaultKind.RESET);
		long begun = System.nanoTime();
		node.links().forEach(TcpProxy::swallow);
		long inForce = System.nanoTime();
		pass(planned.length());
		record(planned.kind(), node.name(), begun, inForce, System.nanoTime(),
				resetInTheEnd ? "reset in the end" : "delivered in the end");
		if (resetInTheEnd) {
			node.links().forEach(TcpProxy::reset);
		}
		node.links().forEach(TcpProxy::forward);
	}

	private void reset(PlannedFault planned, ChaosNode node) {
		long begun = System.nanoTime();
		node.links().forEach(TcpProxy::reset);
		long done = System.nanoTime();
		record(planned.kind(), node.name(), begun, done, done, "");
	}

	private void delay(PlannedFault planned, ChaosNode node) throws InterruptedException {
		long millis = 1 + (long) (planned.amount() * LONGEST_DELAY_MILLIS);
		long begun = System.nanoTime();
		node.links().forEach((link) -> link.delay(millis, 2 * millis));
		long inForce = System.nanoTime();
		pass(planned.length());
		node.links().forEach((link) -> link.delay(0, 0));
		record(planned.kind(), node.name(), begun, inForce, System.nanoTime(),
				"%d to %d ms each way".formatted(millis, 2 * millis));
	}

	private void setClock(PlannedFault planned, ChaosNode node) throws InterruptedException {
		long seconds = (long) ((planned.amount() - 0.5) * 2 * LONGEST_JUMP_SECONDS);
		long begun = System.nanoTime();
		node.clock().set(Duration.ofSeconds(seconds));
		pass(WallClock.DELAY);
		long inForce = System.nanoTime();
		pass(planned.length());
		record(planned.kind(), node.name(), begun, inForce, System.nanoTime(), "%+d s".formatted(seconds));
	}

	private void record(FaultKind kind, String target, long begun, long inForce, long ended, String detail) {
		this.faults.add(new Fault(kind, target, begun, inForce, ended, detail));
	}

	/** Lets time pass. */
	static void pass(Duration time) throws InterruptedException {
		Thread.sleep(Math.max(0, time.toMillis()));
	}

	private interface Doing {

		void to(ChaosNode node) throws Exception;

	}

}
