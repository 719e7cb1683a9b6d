package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The nodes of one test, each with a store of its own, and what happens to their server.
 */
final class Scene {

	private final LeaseStoreContract contract;

	private final List<LeaseStore> stores = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "contract");
		thread.setDaemon(true);
		return thread;
	});

	Scene(LeaseStoreContract contract) {
		this.contract = contract;
	}

	String election() {
		return "election-" + UUID.randomUUID();
	}

	List<String> elections(int count) {
		return IntStream.range(0, count).mapToObj((i) -> election()).toList();
	}

	Node node() {
		return node("node-" + (this.stores.size() + 1));
	}

	Node node(String nodeId) {
		return node(nodeId, this.contract.newStore());
	}

	Node nodeWithOtherPrefix() {
		return node("node-" + (this.stores.size() + 1), this.contract.newStoreWithOtherPrefix());
	}

	private Node node(String nodeId, LeaseStore store) {
		this.stores.add(store);
		return new Node(store, new Owner(nodeId, UUID.randomUUID().toString()), longLease());
	}

	List<Node> nodes(int count) {
		return IntStream.range(0, count).mapToObj((i) -> node()).toList();
	}

	Duration shortLease() {
		return this.contract.leaseDuration();
	}

	Duration longLease() {
		return this.contract.longLeaseDuration();
	}

	boolean leasesAreSessions() {
		return this.contract.leasesAreSessions();
	}

	void abandon(Node node) {
		this.contract.abandon(node.store());
	}

	void loseAllData() {
		this.contract.loseAllData();
	}

	void restartServer() {
		this.contract.restartServer();
	}

	void pauseServer() {
		this.contract.pauseServer();
	}

	void resumeServer() {
		this.contract.resumeServer();
	}

	void plant(HostileRecord hostile, String election) {
		this.contract.plant(hostile, election);
	}

	<T> Future<T> meanwhile(Callable<T> call) {
		return this.threads.submit(call);
	}

	/** Runs all calls at the same time and waits for their answers. */
	<T> List<T> atOnce(List<? extends Callable<T>> calls) throws Exception {
		List<T> answers = new ArrayList<>();
		for (Future<T> answer : this.threads.invokeAll(calls)) {
			try {
				answers.add(answer.get());
			}
			catch (ExecutionException ex) {
				throw new AssertionError("One of %d calls at once failed".formatted(calls.size()), ex.getCause());
			}
		}
		return answers;
	}

	ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(this.contract.patience());
	}

	/** Asserts that a loop has not gone on for longer than anything should take. */
	void goesOn(long startedAt, String awaited) {
		assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).as("time without " + awaited)
			.isLessThan(this.contract.patience());
	}

	/** Repeats a call that may fail while the store looks for its server. */
	<T> T answerOf(Callable<T> call) {
		return answerOf(call, (answer) -> true);
	}

	<T> T answerOf(Callable<T> call, Predicate<T> accepted) {
		return await().ignoreExceptionsInstanceOf(LeaseStoreException.class).until(call, accepted);
	}

	void close() throws Exception {
		this.threads.shutdownNow();
		Exception failure = null;
		for (LeaseStore store : this.stores) {
			if (store instanceof AutoCloseable closeable) {
				try {
					closeable.close();
				}
				catch (Exception ex) {
					if (failure != null) {
						ex.addSuppressed(failure);
					}
					failure = ex;
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
