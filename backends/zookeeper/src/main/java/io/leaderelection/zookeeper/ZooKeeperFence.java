package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.StaleTokens;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Writes to ZooKeeper in a leader's name, unless a newer leader has written before. The
 * highest token of each election is kept in a node, {@code root/fences/election}; every
 * write is a multi-operation that begins with a check of that node's version, or with the
 * change that raises it. ZooKeeper does all of it or nothing.
 *
 * <p>
 * Operations of one token do not get in each other's way: the version changes with the
 * token only. What was not committed through the fence is not fenced.
 */
public final class ZooKeeperFence implements Fence {

	private static final int ATTEMPTS = 10;

	private final CuratorFramework client;

	private final String root;

	private final @Nullable StaleTokens staleTokens;

	/**
	 * A fence that reports to nobody.
	 * @param client the client that the writes go through, which somebody else starts and
	 * closes
	 * @param rootPath the node that the nodes of the fence are kept under
	 */
	public ZooKeeperFence(CuratorFramework client, String rootPath) {
		this(client, rootPath, null);
	}

	/**
	 * A fence that reports its refusals.
	 * @param client the client that the writes go through, which somebody else starts and
	 * closes
	 * @param rootPath the node that the nodes of the fence are kept under
	 * @param staleTokens told of every refusal
	 */
	public ZooKeeperFence(CuratorFramework client, String rootPath, @Nullable StaleTokens staleTokens) {
		PathUtils.validatePath(rootPath);
		this.client = client;
		this.root = ZKPaths.makePath(rootPath, "fences");
		this.staleTokens = staleTokens;
	}

	/**
	 * Lets the token pass, unless a higher one has passed before. A new leader does so
	 * before it reads what it is going to change.
	 * @param token the token
	 * @throws StaleLeaderException if a higher token has passed
	 * @throws ZooKeeperLeaseStoreException if ZooKeeper does not answer
	 */
	@Override
	public void check(FencingToken token) {
		try {
			commit(token);
		}
		catch (KeeperException ex) {
			throw new ZooKeeperLeaseStoreException(
					"Could not check the token of '%s': %s".formatted(token.election(), ex.getMessage()), ex);
		}
	}

	/**
	 * Does all operations, or none of them if a higher token has passed. If an answer is
	 * lost, or another node raises the fence in the same moment, the operations are tried
	 * again, so they should be safe to repeat: give them versions.
	 * @param token the token of the leadership that writes
	 * @param operations what to do, made by the {@code transactionOp()} of the same
	 * client
	 * @return the results of the operations, in the same order
	 * @throws StaleLeaderException if a higher token has passed; nothing was done
	 * @throws KeeperException if one of the operations failed; nothing was done
	 * @throws ZooKeeperLeaseStoreException if the fence cannot be read, or changes all
	 * the time
	 */
	public List<CuratorTransactionResult> commit(FencingToken token, CuratorOp... operations) throws KeeperException {
		for (int i = 0; i < ATTEMPTS; i++) {
			List<CuratorOp> all = new ArrayList<>(List.of(guard(token)));
			all.addAll(List.of(operations));
			try {
				List<CuratorTransactionResult> results = call(() -> this.client.transaction().forOperations(all));
				return results.subList(1, results.size());
			}
			catch (KeeperException ex) {
				if (!isOfTheGuard(ex)) {
					throw ex;
				}
			}
		}
		throw new ZooKeeperLeaseStoreException("The node '%s' changes all the time".formatted(path(token.election())));
	}

	/**
	 * The operation to put first in a multi-operation of the caller's. It holds good
	 * until the next leader comes: the whole multi-operation then fails with
	 * {@link KeeperException.BadVersionException},
	 * {@link KeeperException.NodeExistsException} or
	 * {@link KeeperException.NoNodeException}, and another call of this method says why.
	 * After such a failure it may also be that another write of the same leader has
	 * raised the fence meanwhile; then the new operation is the one to go on with.
	 * @param token the token of the leadership that writes
	 * @return the operation
	 * @throws StaleLeaderException if a higher token has passed
	 * @throws KeeperException if ZooKeeper does not answer
	 * @throws ZooKeeperLeaseStoreException if the node holds no token
	 */
	public CuratorOp guard(FencingToken token) throws KeeperException {
		if (this.staleTokens != null && this.staleTokens.checkInProcess(token)) {
			createRoot();
			return call(() -> this.client.transactionOp().check().forPath(this.root));
		}
		String path = path(token.election());
		byte[] data = Long.toString(token.value()).getBytes(StandardCharsets.US_ASCII);
		Stat stat = new Stat();
		byte[] present = read(path, stat);
		if (present == null) {
			createRoot();
			return call(() -> this.client.transactionOp().create().forPath(path, data));
		}
		long newest = parse(path, present);
		if (newest > token.value()) {
			throw refusal(token, newest);
		}
		if (newest < token.value()) {
			return call(() -> this.client.transactionOp().setData().withVersion(stat.getVersion()).forPath(path, data));
		}
		return call(() -> this.client.transactionOp().check().withVersion(stat.getVersion()).forPath(path));
	}

	private byte @Nullable [] read(String path, Stat stat) throws KeeperException {
		try {
			return call(() -> this.client.getData().storingStatIn(stat).forPath(path));
		}
		catch (KeeperException.NoNodeException ex) {
			return null;
		}
	}

	private void createRoot() throws KeeperException {
		try {
			call(() -> this.client.create().creatingParentsIfNeeded().forPath(this.root, new byte[0]));
		}
		catch (KeeperException.NodeExistsException ex) {
			// as it should
		}
	}

	private static long parse(String path, byte[] data) {
		String text = new String(data, StandardCharsets.UTF_8);
		try {
			long token = Long.parseLong(text);
			if (token > 0) {
				return token;
			}
		}
		catch (NumberFormatException ex) {
			// said below
		}
		throw new ZooKeeperLeaseStoreException(
				("The node '%s' holds '%s', which is no token, so that nothing passes. Find out who wrote it, and delete "
						+ "it while nobody leads")
					.formatted(path, text));
	}

	/** Whether the first of the operations is the one that failed. */
	private static boolean isOfTheGuard(KeeperException failure) {
		List<OpResult> results = failure.getResults();
		return results != null && !results.isEmpty() && results.get(0) instanceof OpResult.ErrorResult error
				&& (error.getErr() == KeeperException.Code.BADVERSION.intValue()
						|| error.getErr() == KeeperException.Code.NODEEXISTS.intValue()
						|| error.getErr() == KeeperException.Code.NONODE.intValue());
	}

	private String path(String election) {
		return ZKPaths.makePath(this.root, Paths.encode(election));
	}

	private StaleLeaderException refusal(FencingToken token, long newest) {
		StaleLeaderException refusal = new StaleLeaderException(token, new FencingToken(token.election(), newest));
		return (this.staleTokens != null) ? this.staleTokens.refused(refusal) : refusal;
	}

	private static <T> T call(Call<T> call) throws KeeperException {
		try {
			return call.perform();
		}
		catch (KeeperException | RuntimeException ex) {
			throw ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperLeaseStoreException("Interrupted while waiting for ZooKeeper", ex);
		}
		catch (Exception ex) {
			throw new ZooKeeperLeaseStoreException("ZooKeeper could not be asked: " + ex.getMessage(), ex);
		}
	}

	private interface Call<T> {

		T perform() throws Exception;

	}

}
