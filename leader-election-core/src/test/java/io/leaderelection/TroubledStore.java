package io.leaderelection;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.WakeUps;

/**
 * One node's way to a store, on which calls can be counted, held up, and made to fail.
 */
public class TroubledStore implements LeaseStore {

	private static final Fault NONE = () -> {
	};

	private final LeaseStore store;

	private final Map<Operation, Fault> before = new ConcurrentHashMap<>();

	private final Map<Operation, Fault> after = new ConcurrentHashMap<>();

	private final Map<Operation, AtomicInteger> calls = new EnumMap<>(Operation.class);

	private volatile Consumer<String> hints = (election) -> {
	};

	private volatile Watch watch = () -> {
	};

	public TroubledStore(LeaseStore store) {
		this.store = store;
		for (Operation operation : Operation.values()) {
			this.calls.put(operation, new AtomicInteger());
		}
	}

	/** Makes the trouble before these calls reach the store; all if none is named. */
	public TroubledStore before(Fault trouble, Operation... operations) {
		for (Operation operation : (operations.length > 0) ? operations : Operation.values()) {
			this.before.put(operation, trouble);
		}
		return this;
	}

	/** Makes the trouble after the store has done what it was asked for. */
	public TroubledStore after(Fault trouble, Operation... operations) {
		for (Operation operation : (operations.length > 0) ? operations : Operation.values()) {
			this.after.put(operation, trouble);
		}
		return this;
	}

	public void heal() {
		this.before.clear();
		this.after.clear();
	}

	/** How many calls of this operation have begun. */
	public int calls(Operation operation) {
		return this.calls.get(operation).get();
	}

	/** The trouble of a server that refuses connections. */
	public static Fault refusal() {
		return () -> {
			throw new LeaseStoreException("connection refused");
		};
	}

	/** The trouble of a server that is read-only. */
	public static Fault rejection() {
		return () -> {
			throw new LeaseStoreException("Could not write the lease", new IllegalStateException("read-only"), true);
		};
	}

	private <R> R call(Operation operation, Supplier<R> call) {
		this.calls.get(operation).incrementAndGet();
		this.before.getOrDefault(operation, NONE).strike();
		R result = call.get();
		this.after.getOrDefault(operation, NONE).strike();
		return result;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		return call(Operation.ACQUIRE, () -> this.store.acquire(candidacies));
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		return call(Operation.RENEW, () -> this.store.renew(renewals));
	}

	@Override
	public void release(List<Lease> leases) {
		call(Operation.RELEASE, () -> {
			this.store.release(leases);
			return true;
		});
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		call(Operation.TRANSFER, () -> {
			this.store.transfer(lease, nodeId, grace);
			return true;
		});
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return call(Operation.READ, () -> this.store.read(election));
	}

	/**
	 * Sends a hint to the node that watches last.
	 */
	public void wakeUp(String election) {
		this.hints.accept(election);
	}

	/**
	 * Sends no more hints to the node that watches last.
	 */
	public void loseHints() {
		this.watch.close();
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		this.hints = wakeUps::wakeUp;
		return call(Operation.WATCH,
				() -> this.store.watch(wakeUps).map((watch) -> this.watch = () -> call(Operation.UNWATCH, () -> {
					watch.close();
					return true;
				})));
	}

	/**
	 * Blocks, throws, or looks around.
	 */
	@FunctionalInterface
	public interface Fault {

		void strike();

	}

}
