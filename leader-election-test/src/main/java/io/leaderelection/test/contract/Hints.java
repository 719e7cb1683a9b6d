package io.leaderelection.test.contract;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.WakeUps;
import org.junit.jupiter.api.Assumptions;

/**
 * The hints that a node was given.
 */
final class Hints implements WakeUps {

	private static final String ALL = "";

	private final List<String> given = new CopyOnWriteArrayList<>();

	/** Has a store give its hints here; skips the test if it gives none. */
	static Watch given(Node node, Hints hints) {
		return node.store()
			.watch(hints)
			.orElseGet(() -> Assumptions.abort("%s gives no hints".formatted(node.store().getClass().getSimpleName())));
	}

	@Override
	public void wakeUp(String election) {
		this.given.add(election);
	}

	@Override
	public void wakeUpAll() {
		this.given.add(ALL);
	}

	/** Leases of the node itself, which no contract is about. */
	@Override
	public void leasesLost() {
	}

	boolean concern(String election) {
		return this.given.contains(election) || concernAll();
	}

	boolean concernAll() {
		return this.given.contains(ALL);
	}

	/** Whether the election is named; that hints may have been missed names none. */
	boolean name(String election) {
		return this.given.contains(election);
	}

	boolean areNone() {
		return this.given.isEmpty();
	}

	void forget() {
		this.given.clear();
	}

}
