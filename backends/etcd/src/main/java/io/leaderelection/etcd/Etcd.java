package io.leaderelection.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Requests to etcd within a time limit. They are sent without waiting, and several are
 * waited for together. All of them are transactions, which jetcd does not repeat by
 * itself when their outcome is unknown.
 */
class Etcd {

	/** Below the 128 that a server allows unless it is told otherwise. */
	static final int OPERATIONS_PER_REQUEST = 120;

	private static final String LEASE_GONE = "requested lease not found";

	private final Client client;

	private final long deadline;

	private final Duration limit;

	private Etcd(Client client, Duration limit) {
		this.client = client;
		this.limit = limit;
		this.deadline = System.nanoTime() + limit.toNanos();
	}

	/**
	 * The way to etcd for one call of the store.
	 * @param client the client
	 * @param limit how long all requests of the call may take together
	 */
	static Etcd within(Client client, Duration limit) {
		return new Etcd(client, limit);
	}

	Lease leases() {
		return this.client.getLeaseClient();
	}

	/**
	 * Writes all or nothing.
	 * @return completed with the revision; empty if a condition was not met
	 */
	CompletableFuture<Optional<Long>> commit(List<Cmp> conditions, List<Op> writes) {
		return this.client.getKVClient()
			.txn()
			.If(conditions.toArray(Cmp[]::new))
			.Then(writes.toArray(Op[]::new))
			.commit()
			.thenApply((answer) -> answer.isSucceeded() ? Optional.of(answer.getHeader().getRevision())
					: Optional.empty());
	}

	/** Writes without conditions, as many in one request as a server allows. */
	void commitAll(List<Op> writes) {
		List<CompletableFuture<Optional<Long>>> answers = new ArrayList<>();
		for (int i = 0; i < writes.size(); i += OPERATIONS_PER_REQUEST) {
			answers.add(commit(List.of(), writes.subList(i, Math.min(i + OPERATIONS_PER_REQUEST, writes.size()))));
		}
		answers.forEach(this::await);
	}

	/** Reads keys as they are at a moment that is no earlier than now. */
	List<KeySnapshot> read(List<ByteSequence> keys) {
		List<CompletableFuture<List<KeySnapshot>>> answers = new ArrayList<>();
		for (int i = 0; i < keys.size(); i += OPERATIONS_PER_REQUEST) {
			answers.add(readTogether(keys.subList(i, Math.min(i + OPERATIONS_PER_REQUEST, keys.size()))));
		}
		return answers.stream().map(this::await).flatMap(List::stream).toList();
	}

	private CompletableFuture<List<KeySnapshot>> readTogether(List<ByteSequence> keys) {
		return this.client.getKVClient()
			.txn()
			.Then(keys.stream().map((key) -> Op.get(key, GetOption.DEFAULT)).toArray(Op[]::new))
			.commit()
			.thenApply((answer) -> answer.getGetResponses()
				.stream()
				.map((found) -> KeySnapshot.of(found.getKvs()))
				.toList());
	}

	/** The keys that begin like this, with their values. */
	List<KeyValue> list(ByteSequence beginning) {
		GetOption all = GetOption.builder().isPrefix(true).build();
		List<GetResponse> answers = await(this.client.getKVClient().txn().Then(Op.get(beginning, all)).commit())
			.getGetResponses();
		return answers.get(0).getKvs();
	}

	<T> T await(CompletableFuture<T> answer) {
		try {
			return answer.get(Math.max(this.deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EtcdLeaseStoreException("Interrupted while waiting for etcd", ex);
		}
		catch (TimeoutException ex) {
			throw new EtcdLeaseStoreException(
					"etcd did not answer within %s: check 'leader-election.etcd.endpoints'".formatted(this.limit), ex);
		}
		catch (ExecutionException ex) {
			throw failure(ex.getCause());
		}
	}

	static EtcdLeaseStoreException failure(Throwable cause) {
		Status status = Status.fromThrowable(cause);
		String said = (status.getDescription() != null) ? status.getDescription() : String.valueOf(cause.getMessage());
		if (said.contains(LEASE_GONE)) {
			return new SessionGoneException(said, cause);
		}
		return switch (status.getCode()) {
			case PERMISSION_DENIED -> new EtcdLeaseStoreException(("etcd denies access (%s): the user of "
					+ "'leader-election.etcd.user' has to read and write all keys below 'leader-election.etcd.prefix'")
				.formatted(said), cause);
			case UNAUTHENTICATED -> unauthenticated(said, cause);
			case INVALID_ARGUMENT -> said.contains("user name is empty") || said.contains("authentication failed")
					? unauthenticated(said, cause) : new EtcdLeaseStoreException("etcd refused: " + said, cause);
			case UNAVAILABLE -> new EtcdLeaseStoreException(
					"etcd cannot be reached (%s): check 'leader-election.etcd.endpoints'".formatted(said), cause);
			default -> new EtcdLeaseStoreException("etcd failed: %s %s".formatted(status.getCode(), said), cause);
		};
	}

	private static EtcdLeaseStoreException unauthenticated(String said, Throwable cause) {
		return new EtcdLeaseStoreException(
				("etcd does not know this application (%s): check 'leader-election.etcd.user' "
						+ "and 'leader-election.etcd.password'")
					.formatted(said),
				cause);
	}

	/** The etcd lease of this node has ended, or somebody has deleted its key. */
	static final class SessionGoneException extends EtcdLeaseStoreException {

		private static final long serialVersionUID = 1L;

		SessionGoneException(String message, @Nullable Throwable cause) {
			super("The session with etcd has ended: " + message, cause);
		}

	}

}
