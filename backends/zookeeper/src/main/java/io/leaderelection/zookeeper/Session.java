package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Requests in one session with ZooKeeper. They are sent without waiting, and carried out
 * and answered in the order in which they were sent.
 *
 * <p>
 * The client's own handle is used instead of Curator's builders, which repeat failed
 * requests by the application's retry policy and cannot read several nodes at once.
 */
final class Session {

	private static final byte[] NOTHING = new byte[0];

	/**
	 * What a condition that is not met may answer, and what the operations near it do.
	 */
	private static final Set<Code> UNMET = EnumSet.of(Code.OK, Code.RUNTIMEINCONSISTENCY, Code.BADVERSION, Code.NONODE,
			Code.NODEEXISTS, Code.NOTEMPTY);

	private final ZooKeeper zooKeeper;

	private final long id;

	private final ACLProvider acls;

	Session(ZooKeeper zooKeeper, long id, ACLProvider acls) {
		this.zooKeeper = zooKeeper;
		this.id = id;
		this.acls = acls;
	}

	boolean isOn(ZooKeeper handle, long session) {
		return this.zooKeeper == handle && this.id == session;
	}

	Duration timeout() {
		return Duration.ofMillis(this.zooKeeper.getSessionTimeout());
	}

	/**
	 * Ensures that what is read next is not older than this request. It is a write that
	 * changes nothing, since the leading server of an ensemble answers a sync before it
	 * has applied what others have committed. Its answer need not be awaited.
	 */
	void catchUp(String path) {
		send(Op.check(path, -1));
	}

	/**
	 * Sends one request: only reads, or only writes, of which all are done or none.
	 * @return completed with the results; those of nodes that do not exist, or are not as
	 * expected, are errors
	 */
	CompletableFuture<List<OpResult>> send(List<Op> operations) {
		CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
		this.zooKeeper.multi(operations, (rc, path, context, results) -> {
			if (results == null) {
				answer.completeExceptionally(KeeperException.create(Code.get(rc), path));
				return;
			}
			for (int i = 0; i < results.size(); i++) {
				if (results.get(i) instanceof OpResult.ErrorResult error && !UNMET.contains(Code.get(error.getErr()))) {
					answer.completeExceptionally(
							KeeperException.create(Code.get(error.getErr()), operations.get(i).getPath()));
				}
			}
			answer.complete(results);
		}, null);
		return answer;
	}

	/** Writes by one operation; completed with OK, or the condition that was not met. */
	CompletableFuture<Code> send(Op write) {
		return send(List.of(write)).thenApply((results) -> (results.get(0) instanceof OpResult.ErrorResult error)
				? Code.get(error.getErr()) : Code.OK);
	}

	/**
	 * Writes all or nothing.
	 * @return completed with whether it was written; not if a condition was not met
	 */
	CompletableFuture<Boolean> commit(List<Op> writes) {
		return send(writes).thenApply((results) -> results.stream().noneMatch(OpResult.ErrorResult.class::isInstance));
	}

	Op creation(String path, byte[] data, CreateMode mode) {
		return Op.create(path, data, this.acls.getAclForPath(path), mode);
	}

	Op creation(String path, CreateMode mode) {
		return creation(path, NOTHING, mode);
	}

	/**
	 * Creates the nodes above. Their answers mean nothing, since the right to create a
	 * node is checked before whether it exists.
	 */
	void createParents(String path) {
		Paths.parents(path).forEach((parent) -> send(creation(parent, CreateMode.PERSISTENT)));
	}

	/** The write that is a heartbeat. */
	static Op beat(String path) {
		return Op.setData(path, NOTHING, -1);
	}

	/**
	 * Reads a node, and watches its next change if it exists.
	 * @return completed with its state; empty if it does not exist
	 */
	CompletableFuture<Optional<Stat>> watch(String path, Watcher watcher) {
		CompletableFuture<Optional<Stat>> answer = new CompletableFuture<>();
		this.zooKeeper.getData(path, watcher, (rc, asked, context, data, stat) -> {
			if (Code.get(rc) == Code.OK || Code.get(rc) == Code.NONODE) {
				answer.complete(Optional.ofNullable(stat));
			}
			else {
				answer.completeExceptionally(KeeperException.create(Code.get(rc), path));
			}
		}, null);
		return answer;
	}

	/** Watches a node and all nodes below it until the session ends. */
	CompletableFuture<Boolean> watchAll(String path, Watcher watcher) {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.zooKeeper.addWatch(path, watcher, AddWatchMode.PERSISTENT_RECURSIVE,
				(rc, asked, context) -> answer.complete(Code.get(rc) == Code.OK), null);
		return answer;
	}

	/** A watch that cannot be removed ends with the session. */
	void unwatchAll(String path, Watcher watcher) {
		this.zooKeeper.removeWatches(path, watcher, Watcher.WatcherType.Any, true, (rc, asked, context) -> {
		}, null);
	}

	/** Waits for an answer, until the nanosecond clock shows the deadline. */
	static <T> T await(CompletableFuture<T> answer, long deadline) {
		try {
			return answer.get(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperLeaseStoreException("Interrupted while waiting for ZooKeeper", ex);
		}
		catch (TimeoutException ex) {
			throw new ZooKeeperLeaseStoreException("ZooKeeper did not answer in time", ex);
		}
		catch (ExecutionException ex) {
			throw explained(ex.getCause());
		}
	}

	private static ZooKeeperLeaseStoreException explained(Throwable cause) {
		if (cause instanceof KeeperException.NoAuthException denied) {
			return new ZooKeeperLeaseStoreException(("ZooKeeper denies access to '%s': check the ACL of the node, and "
					+ "'leader-election.zookeeper.auth.scheme' and 'leader-election.zookeeper.auth.credentials'")
				.formatted(denied.getPath()), denied);
		}
		if (cause instanceof KeeperException.UnimplementedException) {
			return new ZooKeeperLeaseStoreException("The ZooKeeper server is too old: version 3.6 or newer is needed",
					cause);
		}
		return new ZooKeeperLeaseStoreException("ZooKeeper failed: " + cause.getMessage(), cause);
	}

}
