package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with ZooKeeper. Requests are sent without waiting and answered in the order
 * they were sent; several are waited for together.
 *
 * <p>
 * The client's own handle is used rather than Curator's builders, since those repeat a
 * request that failed by the application's retry policy, on a thread and for a time that
 * is not ours, and know no batch of reads.
 */
class Session {

	private static final byte[] NOTHING = new byte[0];

	private final ZooKeeper zooKeeper;

	private final long id;

	private final Tree tree;

	private final ACLProvider acls;

	/** The watches live and die with the session. */
	private final Watches watches;

	private volatile boolean prepared;

	Session(ZooKeeper zooKeeper, long id, Tree tree, ACLProvider acls, Hints hints, Sightings sightings) {
		this.zooKeeper = zooKeeper;
		this.id = id;
		this.tree = tree;
		this.acls = acls;
		this.watches = new Watches(this, tree, hints, sightings);
	}

	long id() {
		return this.id;
	}

	Watches watches() {
		return this.watches;
	}

	boolean isOn(ZooKeeper handle, long session) {
		return this.zooKeeper == handle && this.id == session;
	}

	Duration timeout() {
		return Duration.ofMillis(this.zooKeeper.getSessionTimeout());
	}

	/** Makes sure, once, that there is a node to prove life with. */
	void prepare() {
		if (!this.prepared) {
			restoreProof();
			this.prepared = true;
		}
	}

	/**
	 * Makes sure that the node to prove life with is there.
	 * @return whether it was not
	 */
	boolean restoreProof() {
		return await(create(this.tree.session(this.id), NOTHING, CreateMode.EPHEMERAL)).isPresent();
	}

	/** The write that shows to all others that this session lives. */
	Op proofOfLife() {
		return Op.setData(this.tree.session(this.id), NOTHING, -1);
	}

	/**
	 * What is true only if another session has not proven its life since it was looked
	 * at. If it had no proof then: a node can be created and deleted only if it is not
	 * there.
	 */
	List<Op> unproven(long session, Optional<Stat> seen) {
		String proof = this.tree.session(session);
		if (seen.isPresent()) {
			return List.of(Op.check(proof, seen.get().getVersion()));
		}
		return List.of(Op.create(proof, NOTHING, this.acls.getAclForPath(proof), CreateMode.EPHEMERAL),
				Op.delete(proof, -1));
	}

	/**
	 * Lets what is read next be no older than now, though the server may lag behind
	 * others. Nobody has to wait for the answer, since requests are answered in order.
	 * This is a write that changes nothing: the leading server of an ensemble answers to
	 * a sync before it has applied what others have committed already.
	 */
	void catchUp(String path) {
		this.zooKeeper.multi(List.of(Op.check(path, -1)), (rc, asked, context, results) -> {
		}, null);
	}

	/** Reads many nodes in one request. What is not there is answered with an error. */
	CompletableFuture<List<OpResult>> read(List<Op> reads) {
		CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
		this.zooKeeper.multi(reads, (rc, path, context, results) -> {
			if (results != null) {
				answer.complete(results);
			}
			else {
				answer.completeExceptionally(KeeperException.create(Code.get(rc), path));
			}
		}, null);
		return answer;
	}

	/**
	 * Writes all or nothing.
	 * @return completed with whether it was written; not if anything was not as the
	 * writes expected it
	 */
	CompletableFuture<Boolean> commit(List<Op> writes) {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.zooKeeper.multi(writes, (rc, path, context, results) -> {
			switch (Code.get(rc)) {
				case OK -> answer.complete(true);
				case BADVERSION, NONODE, NODEEXISTS, NOTEMPTY -> answer.complete(false);
				default -> answer.completeExceptionally(KeeperException.create(Code.get(rc), pathOf(writes, results)));
			}
		}, null);
		return answer;
	}

	private static String pathOf(List<Op> writes, @Nullable List<OpResult> results) {
		for (int i = 0; results != null && i < results.size(); i++) {
			if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()
					&& error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue()) {
				return writes.get(i).getPath();
			}
		}
		return writes.get(0).getPath();
	}

	/**
	 * Creates a node, and those above it that are missing.
	 * @return completed with the node; empty if there is one already
	 */
	CompletableFuture<Optional<Created>> create(String path, byte[] data, CreateMode mode) {
		return createBelow(path, data, mode).exceptionallyCompose((failure) -> {
			if (!(cause(failure) instanceof KeeperException.NoNodeException)) {
				return CompletableFuture.failedFuture(failure);
			}
			for (String parent : Tree.parents(path)) {
				// whether a node may be made is checked before whether it is there, so
				// that a failure here means nothing; requests are carried out in order
				createBelow(parent, NOTHING, CreateMode.PERSISTENT);
			}
			return createBelow(path, data, mode);
		});
	}

	private CompletableFuture<Optional<Created>> createBelow(String path, byte[] data, CreateMode mode) {
		CompletableFuture<Optional<Created>> answer = new CompletableFuture<>();
		this.zooKeeper.create(path, data, this.acls.getAclForPath(path), mode, (rc, asked, context, name, stat) -> {
			switch (Code.get(rc)) {
				case OK -> answer.complete(Optional.of(new Created(name, stat.getCzxid())));
				case NODEEXISTS -> answer.complete(Optional.empty());
				default -> answer.completeExceptionally(KeeperException.create(Code.get(rc), path));
			}
		}, null);
		return answer;
	}

	/**
	 * Asks for the state of a node, and watches it if there is a watcher.
	 * @return completed with the state; empty if there is no node
	 */
	CompletableFuture<Optional<Stat>> stat(String path, @Nullable Watcher watcher) {
		CompletableFuture<Optional<Stat>> answer = new CompletableFuture<>();
		this.zooKeeper.exists(path, watcher, (rc, asked, context, stat) -> {
			switch (Code.get(rc)) {
				case OK -> answer.complete(Optional.of(stat));
				case NONODE -> answer.complete(Optional.empty());
				default -> answer.completeExceptionally(KeeperException.create(Code.get(rc), path));
			}
		}, null);
		return answer;
	}

	void delete(String path) {
		this.zooKeeper.delete(path, -1, (rc, asked, context) -> {
		}, null);
	}

	/** Waits for an answer, as long as the client itself would. */
	<T> T await(CompletableFuture<T> answer) {
		try {
			return answer.get(Math.max(timeout().toMillis(), 1), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperLeaseStoreException("Interrupted while waiting for ZooKeeper", ex);
		}
		catch (TimeoutException ex) {
			throw new ZooKeeperLeaseStoreException("ZooKeeper did not answer within " + timeout(), ex);
		}
		catch (ExecutionException ex) {
			throw failure(cause(ex));
		}
	}

	<T> List<T> awaitAll(List<CompletableFuture<T>> answers) {
		List<T> all = new ArrayList<>(answers.size());
		for (CompletableFuture<T> answer : answers) {
			all.add(await(answer));
		}
		return all;
	}

	private static ZooKeeperLeaseStoreException failure(Throwable cause) {
		if (cause instanceof KeeperException.NoAuthException denied) {
			return new ZooKeeperLeaseStoreException(("ZooKeeper denies access to '%s': check the ACL of the node, and "
					+ "'leader-election.zookeeper.auth.scheme' and 'leader-election.zookeeper.auth.credentials'")
				.formatted(denied.getPath()), denied);
		}
		if (cause instanceof KeeperException.NoNodeException missing) {
			return new ZooKeeperLeaseStoreException(("ZooKeeper does not let '%s' be created: create the node of "
					+ "'leader-election.zookeeper.root-path', or allow it to be created")
				.formatted(missing.getPath()), missing);
		}
		if (cause instanceof KeeperException.UnimplementedException) {
			return new ZooKeeperLeaseStoreException("The ZooKeeper server is too old: version 3.6 or newer is needed",
					cause);
		}
		return new ZooKeeperLeaseStoreException("ZooKeeper failed: " + cause.getMessage(), cause);
	}

	private static Throwable cause(Throwable failure) {
		return (failure.getCause() != null && !(failure instanceof KeeperException)) ? failure.getCause() : failure;
	}

	/**
	 * A node that was created.
	 *
	 * @param path its path
	 * @param czxid the transaction that created it
	 */
	record Created(String path, long czxid) {
	}

}
