package io.leaderelection.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps leases in Redis 5 or later, standalone, behind Sentinel or in a Cluster. Each
 * call is one script for up to {@value #LONGEST_BATCH} elections.
 *
 * <p>
 * Redis replicates asynchronously, so that a promoted replica may never have heard of the
 * last lease. When the server's replication id has changed, by a promotion or a restart,
 * no lease is granted until the longest one before must have ended; holders go on. What
 * this cannot cover is an old master that still serves a part of the nodes:
 * {@code min-replicas-to-write} bounds that, and only a fence at the resource ends it.
 *
 * <p>
 * Leases are judged by the server's wall clock, since scripts can ask for no other: it
 * may be slewed, but a step forward ends leases early.
 */
public final class RedisLeaseStore implements LeaseStore {

	/** The prefix of all keys if none is chosen. */
	public static final String DEFAULT_KEY_PREFIX = "leader-election";

	private static final Log logger = LogFactory.getLog(RedisLeaseStore.class);

	private static final int LONGEST_BATCH = 500;

	private static final String GARBLED = "garbled";

	private static final String FOREIGN = "foreign";

	private static final String EXHAUSTED = "exhausted";

	private final RedisConnectionFactory connectionFactory;

	private final RedisKeys keys;

	private final boolean detectFailover;

	private final EvictionCheck eviction;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean silent = new AtomicBoolean();

	/**
	 * A store with the default prefix.
	 * @param connectionFactory connects to Redis
	 */
	public RedisLeaseStore(RedisConnectionFactory connectionFactory) {
		this(connectionFactory, DEFAULT_KEY_PREFIX, true);
	}

	/**
	 * A store with a prefix of its own. Stores that share elections have the same prefix.
	 * @param connectionFactory connects to Redis
	 * @param keyPrefix what the keys of all elections begin with; it may not contain
	 * braces
	 * @param detectFailover whether to grant no lease for a while after the server's
	 * replication id has changed. Needs the right to run INFO
	 */
	public RedisLeaseStore(RedisConnectionFactory connectionFactory, String keyPrefix, boolean detectFailover) {
		this.connectionFactory = connectionFactory;
		this.keys = new RedisKeys(keyPrefix);
		this.detectFailover = detectFailover;
		this.eviction = new EvictionCheck(connectionFactory);
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		return inParts(candidacies, this::acquirePart);
	}

	private List<AcquireResult> acquirePart(List<AcquireRequest> candidacies) {
		ScriptCall call = guardedCall(LeaseScript.ACQUIRE);
		for (AcquireRequest candidacy : candidacies) {
			call.key(this.keys.record(candidacy.election()))
				.owner(candidacy.owner())
				.duration(candidacy.duration())
				.number(Math.max(candidacy.tokenFloor(), 0))
				.text(candidacy.createIfAbsent() ? "create" : "");
		}
		return answers(candidacies, call, AcquireRequest::election, RedisLeaseStore::acquireResult);
	}

	private static AcquireResult acquireResult(AcquireRequest candidacy, Reply reply) {
		return switch (reply.state()) {
			case "granted" -> new AcquireResult.Granted(reply.number(1), candidacy.duration());
			case "held" -> new AcquireResult.Held(reply.text(1), reply.number(2), reply.duration(3), reply.duration(4));
			case "absent" -> new AcquireResult.Absent();
			case FOREIGN, GARBLED, EXHAUSTED ->
				new AcquireResult.Held(Optional.empty(), 0, candidacy.duration(), candidacy.duration());
			default -> throw reply.notUnderstood();
		};
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		return inParts(renewals, this::renewPart);
	}

	private List<RenewResult> renewPart(List<RenewRequest> renewals) {
		ScriptCall call = guardedCall(LeaseScript.RENEW);
		for (RenewRequest renewal : renewals) {
			Lease lease = renewal.lease();
			call.key(this.keys.record(lease.election()))
				.owner(lease.owner())
				.duration(lease.duration())
				.number(lease.token())
				.text(renewal.createIfAbsent() ? "create" : "");
		}
		return answers(renewals, call, (renewal) -> renewal.lease().election(), RedisLeaseStore::renewResult);
	}

	private static RenewResult renewResult(RenewRequest renewal, Reply reply) {
		return switch (reply.state()) {
			case "renewed" -> new RenewResult.Renewed(renewal.lease().duration());
			case "absent" -> new RenewResult.Absent();
			case "lost", FOREIGN -> new RenewResult.Lost();
			default -> throw reply.notUnderstood();
		};
	}

	/**
	 * A server does nothing else while it runs a script, so that none may be too long.
	 */
	private static <Q, R> List<R> inParts(List<Q> batch, Function<List<Q>, List<R>> call) {
		List<R> results = new ArrayList<>(batch.size());
		for (int from = 0; from < batch.size(); from += LONGEST_BATCH) {
			results.addAll(call.apply(batch.subList(from, Math.min(from + LONGEST_BATCH, batch.size()))));
		}
		return results;
	}

	private ScriptCall call(LeaseScript script) {
		return new ScriptCall(this.connectionFactory, this.keys, script);
	}

	private ScriptCall guardedCall(LeaseScript script) {
		return call(script).key(this.keys.history()).text(this.detectFailover ? "detect" : "");
	}

	/**
	 * One record that is not ours to change must not end the leaderships of all other
	 * elections in the batch, so the call fails only if it has no other answer.
	 */
	private <Q, R> List<R> answers(List<Q> questions, ScriptCall call, Function<Q, String> election,
			BiFunction<Q, Reply, R> answer) {
		List<Reply> replies = call.replies();
		List<R> answers = new ArrayList<>(replies.size());
		LeaseStoreException trouble = null;
		boolean useful = false;
		for (int i = 0; i < replies.size(); i++) {
			Reply reply = replies.get(i);
			LeaseStoreException found = trouble(election.apply(questions.get(i)), reply);
			trouble = (trouble != null) ? trouble : found;
			useful |= found == null;
			answers.add(answer.apply(questions.get(i), reply));
		}
		if (trouble != null && !useful) {
			throw trouble;
		}
		return answers;
	}

	private @Nullable LeaseStoreException trouble(String election, Reply reply) {
		LeaseStoreException trouble = switch (reply.state()) {
			case FOREIGN, GARBLED -> unreadable(election);
			case EXHAUSTED -> new LeaseStoreException(
					"No token is higher than the one that a candidate for '%s' has seen".formatted(election));
			default -> null;
		};
		if (trouble == null) {
			this.warned.remove(election);
		}
		else if (this.warned.add(election)) {
			logger.warn(trouble.getMessage());
		}
		return trouble;
	}

	private LeaseStoreException unreadable(String election) {
		return RedisRefusal.FOREIGN_KEY.exception(this.keys.record(election), this.keys, null);
	}

	@Override
	public void release(List<Lease> leases) {
		inParts(leases, this::releasePart);
	}

	private List<Reply> releasePart(List<Lease> leases) {
		ScriptCall call = call(LeaseScript.RELEASE).text(this.keys.channel());
		for (Lease lease : leases) {
			call.key(this.keys.record(lease.election()))
				.text(lease.election())
				.owner(lease.owner())
				.number(lease.token());
		}
		Reply reply = call.reply();
		warnIfUnheard(reply);
		return List.of(reply);
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		ScriptCall call = call(LeaseScript.TRANSFER).key(this.keys.record(lease.election()))
			.text(this.keys.channel())
			.text(lease.election())
			.owner(lease.owner())
			.number(lease.token())
			.text(nodeId)
			.duration(grace);
		warnIfUnheard(call.reply());
	}

	private void warnIfUnheard(Reply reply) {
		reply.text(0).ifPresent((failure) -> warnOfSilence("publish", failure));
	}

	@Override
	public List<String> limits() {
		String eviction = this.eviction.warning();
		return List.of("A master that was replaced and does not know it yet may grant leases beside the new one.",
				"A server whose clock is set forward ends leases early.", (eviction != null) ? eviction
						: "Records may be lost where keys are evicted or writes are not persisted.");
	}

	@Override
	public Optional<LeaseView> read(String election) {
		Reply reply = call(LeaseScript.READ).key(this.keys.record(election)).reply();
		return switch (reply.state()) {
			case "absent" -> Optional.empty();
			case FOREIGN, GARBLED -> throw unreadable(election);
			case "present" -> {
				Optional<Owner> holder = reply.text(1).map((nodeId) -> new Owner(nodeId, reply.text(2).orElse("")));
				yield Optional.of(new LeaseView(holder, reply.number(3), reply.duration(4),
						reply.textsFrom(5).stream().sorted().toList()));
			}
			default -> throw reply.notUnderstood();
		};
	}

	/**
	 * Begins to give hints. A user without the right to subscribe gets none, and a
	 * warning.
	 */
	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		WakeUpSubscription subscription = new WakeUpSubscription(this.connectionFactory, this.keys.channel(), wakeUps);
		try {
			subscription.begin();
			this.eviction.check();
			return Optional.of(subscription);
		}
		catch (LeaseStoreException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			LeaseStoreException explained = RedisRefusal.explain(ex, this.keys);
			if (RedisRefusal.in(ex) != RedisRefusal.NO_RIGHTS) {
				throw explained;
			}
			warnOfSilence("subscribe", String.valueOf(explained.getMessage()));
			this.eviction.check();
			return Optional.empty();
		}
	}

	private void warnOfSilence(String action, String reason) {
		if (this.silent.compareAndSet(false, true)) {
			logger.warn("The Redis user may not %s to '%s', so that candidates wait for leases to end: %s"
				.formatted(action, this.keys.channel(), reason));
		}
	}

}
