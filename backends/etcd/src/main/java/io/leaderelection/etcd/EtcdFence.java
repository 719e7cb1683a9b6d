package io.leaderelection.etcd;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.StaleTokens;
import org.jspecify.annotations.Nullable;

/**
 * Writes to etcd in a leader's name, unless a newer leader has written before. The
 * highest token of each election is kept at a key, {@code prefix/fences/election}; every
 * write is a transaction on the condition that this key holds the writer's token, or one
 * that raises it. etcd does all of it or nothing.
 *
 * <p>
 * What was not committed through the fence is not fenced.
 */
public final class EtcdFence implements Fence {

	private static final int ATTEMPTS = 10;

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Client client;

	private final String parent;

	private final @Nullable StaleTokens staleTokens;

	/**
	 * A fence that reports to nobody.
	 * @param client the client that the writes go through, which somebody else closes
	 * @param prefix what the keys of the fence begin with
	 */
	public EtcdFence(Client client, String prefix) {
		this(client, prefix, null);
	}

	/**
	 * A fence that reports its refusals.
	 * @param client the client that the writes go through, which somebody else closes
	 * @param prefix what the keys of the fence begin with
	 * @param staleTokens told of every refusal
	 */
	public EtcdFence(Client client, String prefix, @Nullable StaleTokens staleTokens) {
		this.client = client;
		this.parent = prefix + "/fences/";
		this.staleTokens = staleTokens;
	}

	/**
	 * Lets the token pass, unless a higher one has passed before. A new leader does so
	 * before it reads what it is going to change.
	 * @param token the token
	 * @throws StaleLeaderException if a higher token has passed
	 * @throws EtcdLeaseStoreException if etcd does not answer
	 */
	@Override
	public void check(FencingToken token) {
		commit(token, List.of());
	}

	/**
	 * Does all operations, or none of them if a higher token has passed. If the answer is
	 * lost, it is not known whether they were done, so they should be safe to repeat.
	 * @param token the token of the leadership that writes
	 * @param operations what to do
	 * @throws StaleLeaderException if a higher token has passed; nothing was done
	 * @throws EtcdLeaseStoreException if etcd does not answer, or the fence cannot be
	 * read
	 */
	public void commit(FencingToken token, List<? extends Op> operations) {
		if (!commit(token, List.of(), operations)) {
			throw new EtcdLeaseStoreException("A transaction without conditions was refused");
		}
	}

	/**
	 * Does all operations on the caller's own conditions, or none of them.
	 * @param token the token of the leadership that writes
	 * @param conditions what has to be true besides
	 * @param operations what to do
	 * @return whether it was done; not if one of the conditions was not met
	 * @throws StaleLeaderException if a higher token has passed; nothing was done
	 * @throws EtcdLeaseStoreException if etcd does not answer, or the fence cannot be
	 * read
	 */
	public boolean commit(FencingToken token, List<Cmp> conditions, List<? extends Op> operations) {
		Etcd etcd = Etcd.within(this.client, PATIENCE);
		List<Cmp> all = new ArrayList<>(conditions);
		all.add(guard(token));
		if (this.staleTokens != null && this.staleTokens.isInProcess()) {
			return etcd.await(etcd.commit(all, List.copyOf(operations))).isPresent();
		}
		boolean raised = false;
		for (int i = 0; i < ATTEMPTS; i++) {
			if (etcd.await(etcd.commit(all, List.copyOf(operations))).isPresent()) {
				return true;
			}
			// only if the token had passed before is it the caller's condition that
			// failed
			if (raised && text(token.value()).equals(read(etcd, token).value())) {
				return false;
			}
			raise(etcd, token);
			raised = true;
		}
		throw new EtcdLeaseStoreException("The key '%s' changes all the time".formatted(key(token.election())));
	}

	/**
	 * The condition for a transaction of the caller's. It holds good once the token has
	 * passed, by {@link #check}, and until the next leader's has.
	 * @param token the token of the leadership that writes
	 * @return the condition
	 */
	public Cmp guard(FencingToken token) {
		if (this.staleTokens != null && this.staleTokens.checkInProcess(token)) {
			// true of every key, also of one that does not exist
			return new Cmp(key(token.election()), Cmp.Op.GREATER, CmpTarget.version(-1));
		}
		return KeySnapshot.has(key(token.election()), text(token.value()));
	}

	private KeySnapshot read(Etcd etcd, FencingToken token) {
		return etcd.read(List.of(key(token.election()))).get(0);
	}

	/** Lets the token pass, and comes back when it has. */
	private void raise(Etcd etcd, FencingToken token) {
		ByteSequence key = key(token.election());
		for (int i = 0; i < ATTEMPTS; i++) {
			KeySnapshot present = read(etcd, token);
			ByteSequence value = present.value();
			long newest = (value != null) ? parse(key, value) : 0;
			if (newest > token.value()) {
				throw refusal(token, newest);
			}
			if (newest == token.value()) {
				return;
			}
			etcd.await(
					etcd.commit(present.unchanged(key), List.of(Op.put(key, text(token.value()), PutOption.DEFAULT))));
		}
		throw new EtcdLeaseStoreException("The key '%s' changes all the time".formatted(key));
	}

	private static long parse(ByteSequence key, ByteSequence value) {
		String text = value.toString(StandardCharsets.UTF_8);
		try {
			long token = Long.parseLong(text);
			if (token > 0) {
				return token;
			}
		}
		catch (NumberFormatException ex) {
			// said below
		}
		throw new EtcdLeaseStoreException(
				("The key '%s' holds '%s', which is no token, so that nothing passes. Find out who wrote it, and delete "
						+ "it while nobody leads")
					.formatted(key, text));
	}

	private ByteSequence key(String election) {
		return Keys.bytes(this.parent + Keys.encode(election));
	}

	private static ByteSequence text(long token) {
		return Keys.bytes(Long.toString(token));
	}

	private StaleLeaderException refusal(FencingToken token, long newest) {
		StaleLeaderException refusal = new StaleLeaderException(token, new FencingToken(token.election(), newest));
		return (this.staleTokens != null) ? this.staleTokens.refused(refusal) : refusal;
	}

}
