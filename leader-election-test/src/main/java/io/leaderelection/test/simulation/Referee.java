package io.leaderelection.test.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LossReason;
import io.leaderelection.Ineligibility;
import io.leaderelection.engine.DefaultLeaderElector;
import io.leaderelection.engine.EngineLog;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Knows the truth, and checks the promises against it: P1 and P2 after every event, the
 * others when something happens that could break them. P7 is checked by the listeners,
 * and what nodes say of themselves by {@link StatusReferee}.
 */
final class Referee {

	/** A renewal after the upset may be this late, and revive an older record. */
	private static final long LATEST_MESSAGE = 15 * World.SECOND;

	/** In microseconds, as tokens: longer than a run. */
	private static final long FENCE_AHEAD = 10_000_000_000L;

	private final World world;

	private final SimulatedStore server;

	private final List<String> names;

	private final Leases leases;

	private final StatusReferee status;

	private final Map<Long, Grant>[] grants;

	private final long[] highest;

	private final long[] lastGivenUp;

	/** When the store last heard from a leader. */
	private final long[] lastSign;

	/** When somebody last led. */
	private final long[] lastLed;

	/** What a fence has seen, if other applications have raised it. */
	private final long[] fence;

	private List<SimulatedNode> nodes = List.of();

	private long lastCreation;

	private @Nullable SimulatedProcess lastWithoutSession;

	private long lastSessionEnd;

	private int gains;

	private int losses;

	@SuppressWarnings({ "unchecked", "rawtypes" })
	Referee(World world, Weather weather, SimulatedStore server, List<String> names, Leases leases) {
		this.world = world;
		this.server = server;
		this.names = names;
		this.leases = leases;
		this.status = new StatusReferee(this, world, weather, server, names, leases);
		this.grants = new Map[names.size()];
		for (int i = 0; i < names.size(); i++) {
			this.grants[i] = new HashMap<>();
		}
		this.highest = new long[names.size()];
		this.lastGivenUp = new long[names.size()];
		this.lastSign = new long[names.size()];
		this.lastLed = new long[names.size()];
		this.fence = new long[names.size()];
	}

	/** Another application or store has used higher tokens at the same resource. */
	void raiseFence(int index) {
		this.fence[index] = Math.max(this.fence[index], this.highest[index]) + FENCE_AHEAD;
	}

	/** The token that the fence compares with. */
	FencingToken fence(int index) {
		return new FencingToken(this.names.get(index), Math.max(1, this.fence[index]));
	}

	void watch(List<SimulatedNode> nodes) {
		this.nodes = nodes;
	}

	int gains() {
		return this.gains;
	}

	int losses() {
		return this.losses;
	}

	/** Checks what nodes say of themselves. */
	StatusReferee status() {
		return this.status;
	}

	/** When a record last came into being. */
	long lastCreation() {
		return this.lastCreation;
	}

	void created() {
		this.lastCreation = this.world.now();
	}

	/** When the store last took a lease of this election back. */
	long lastGivenUp(int index) {
		return this.lastGivenUp[index];
	}

	/** When the lease with this token ends in the world's time, unless it is renewed. */
	long leaseEnds(FencingToken token) {
		return this.grants[this.names.indexOf(token.election())].get(token.value()).ends;
	}

	@Nullable SimulatedProcess leader(int index) {
		for (SimulatedNode node : this.nodes) {
			if (leads(node.process(), index)) {
				return node.process();
			}
		}
		return null;
	}

	private static boolean leads(SimulatedProcess process, int index) {
		return process.isAlive() && process.election(index).isLeader();
	}

	void checkLeaders() {
		for (int i = 0; i < this.names.size(); i++) {
			SimulatedProcess first = null;
			for (SimulatedNode node : this.nodes) {
				SimulatedProcess process = node.process();
				if (!leads(process, i)) {
					continue;
				}
				Grant grant = grantOf(process, i);
				if (this.world.now() >= grant.ends) {
					throw this.world.violation("P2", "%s still leads '%s' %d us after its lease ended"
						.formatted(process.name(), this.names.get(i), (this.world.now() - grant.ends) / 1000));
				}
				if (!grant.evicted && first != null) {
					throw this.world.violation("P1",
							"%s and %s both lead '%s'".formatted(first.name(), process.name(), this.names.get(i)));
				}
				first = grant.evicted ? first : process;
				this.lastLed[i] = this.world.now();
			}
		}
	}

	Grant grant(int index, FencingToken token) {
		return this.grants[index].get(token.value());
	}

	/** The grant that a process leads with. */
	Grant grantOf(SimulatedProcess process, int index) {
		DefaultLeaderElector election = process.election(index);
		long token = election.fencingToken().orElseThrow().value();
		Grant grant = this.grants[index].get(token);
		if (grant == null || !grant.owner.equals(process.name())) {
			throw this.world.violation("P1",
					"%s leads '%s' with a token not granted to it".formatted(process.name(), this.names.get(index)));
		}
		return grant;
	}

	/** An operator takes the lease away: the holder cannot know before it renews. */
	void evicted(int index) {
		long token = this.server.read(this.names.get(index)).map(LeaseView::token).orElse(0L);
		Grant grant = this.grants[index].get(token);
		if (grant != null) {
			grant.evicted = true;
			this.lastSign[index] = this.world.now();
		}
	}

	/** Whether the store has granted this lease before. */
	boolean isGranted(Lease lease) {
		Grant grant = this.grants[this.names.indexOf(lease.election())].get(lease.token());
		return grant != null && grant.owner.equals(lease.owner().toString());
	}

	void granted(AcquireRequest candidacy, Granted granted) {
		String owner = candidacy.owner().toString();
		int index = this.names.indexOf(candidacy.election());
		long ends = leaseEnd(index);
		Grant known = this.grants[index].get(granted.token());
		if (known != null && known.owner.equals(owner)) {
			known.ends = Math.max(known.ends, ends);
			this.lastSign[index] = this.world.now();
			return;
		}
		if (granted.token() <= this.highest[index]) {
			throw this.world.violation("P3", "%s was granted the token %d of '%s' after %d".formatted(owner,
					granted.token(), candidacy.election(), this.highest[index]));
		}
		this.highest[index] = granted.token();
		this.grants[index].put(granted.token(),
				new Grant(owner, ends, this.lastSign[index], this.lastGivenUp[index] == this.lastSign[index]));
		this.lastSign[index] = this.world.now();
	}

	void renewed(Lease lease, Optional<LeaseView> before) {
		int index = this.names.indexOf(lease.election());
		long recorded = before.map(LeaseView::token).orElse(0L);
		boolean another = before.flatMap(LeaseView::holder).filter(lease.owner()::equals).isEmpty();
		if (recorded > lease.token() || (recorded == lease.token() && another)) {
			throw this.world.violation("P6", "%s renewed the token %d of '%s', which is over: the record has %d"
				.formatted(lease.owner(), lease.token(), lease.election(), recorded));
		}
		Grant grant = this.grants[index].get(lease.token());
		if (grant != null) {
			grant.ends = Math.max(grant.ends, leaseEnd(index));
			this.lastSign[index] = this.world.now();
		}
	}

	private long leaseEnd(int index) {
		return this.world.now() + this.server.clock().inWorldTime(this.leases.of(index));
	}

	void givenUp(SimulatedProcess process, Lease lease, Optional<LeaseView> before) {
		int index = this.names.indexOf(lease.election());
		if (before.map(LeaseView::token).orElse(0L) == lease.token()) {
			this.lastSign[index] = this.world.now();
		}
		if (!process.isAlive()) {
			return;
		}
		if (leads(process, index) && grantOf(process, index) == this.grants[index].get(lease.token())) {
			throw this.world.violation("P4",
					"%s gave '%s' up while leading".formatted(process.name(), lease.election()));
		}
		FencingToken token = new FencingToken(lease.election(), lease.token());
		boolean everLed = process.ledWith(token);
		if (everLed && !process.isDoneWith(index, lease.token())) {
			throw this.world.violation("P4", "%s gave '%s' up before its listeners had returned from lost(%d)"
				.formatted(process.name(), lease.election(), lease.token()));
		}
		if (everLed && process.inFlight(token) > 0) {
			throw this.world.violation("P4",
					"%s gave '%s' up while work was under way".formatted(process.name(), lease.election()));
		}
		if (before.map(LeaseView::token).orElse(0L) == lease.token()) {
			this.lastGivenUp[index] = this.world.now();
		}
	}

	/** No lease is taken before it has ended, whether its holder still leads or not. */
	void takenOver(Lease former, Owner next) {
		int index = this.names.indexOf(former.election());
		Grant grant = this.grants[index].get(former.token());
		// clocks may differ by one percent
		if (grant != null && this.world.now() < grant.ends - former.duration().toNanos() / 50) {
			throw this.world.violation("P1", "%s took '%s' from %s %d ms before that lease ended".formatted(next,
					former.election(), former.owner(), (grant.ends - this.world.now()) / World.MILLI));
		}
	}

	/** A store releases what its node has stopped renewing, whatever still runs there. */
	void abandoned(SimulatedProcess process, Lease lease) {
		int index = this.names.indexOf(lease.election());
		if (process.isAlive() && leads(process, index)
				&& grantOf(process, index) == this.grants[index].get(lease.token())) {
			throw this.world.violation("P4",
					"the store released '%s' while %s leads".formatted(lease.election(), process.name()));
		}
	}

	/** A node that is declared ineligible leads nothing that this costs. */
	void declaredIneligible(SimulatedProcess process, Ineligibility reason) {
		for (int i = 0; i < this.names.size(); i++) {
			if (reason.loss().isPresent() && leads(process, i)) {
				throw this.world.violation("P4",
						"%s leads '%s' though it is not eligible".formatted(process.name(), this.names.get(i)));
			}
		}
	}

	/** A definite answer ends a leadership at once. */
	void heardOfLoss(SimulatedProcess process, List<FencingToken> tokens) {
		for (int i = 0; i < this.names.size(); i++) {
			if (leads(process, i) && tokens.contains(process.election(i).fencingToken().orElseThrow())) {
				throw this.world.violation("P6",
						"%s leads '%s' though the store said otherwise".formatted(process.name(), this.names.get(i)));
			}
		}
	}

	/** What kept the leases of a process is gone. */
	void sessionEnds(SimulatedProcess process) {
		this.lastWithoutSession = process;
		this.lastSessionEnd = this.world.now();
		this.server.tokensOf(process.owner())
			.forEach((token) -> this.lastSign[this.names.indexOf(token.election())] = this.world.now());
	}

	EngineLog log(SimulatedProcess process) {
		return new EngineLog() {

			@Override
			public void gained(Gained event) {
				Referee.this.gains++;
				process.leads(event.token());
				tookOver(process, event);
				if (process.isIneligible()) {
					throw Referee.this.world.violation("P4",
							"%s gained %s though it is not eligible to lead".formatted(process.name(), event.token()));
				}
				Referee.this.world.trace(() -> "%s gained %s".formatted(process.name(), event.token()));
			}

			@Override
			public void duplicateNodeId(String election) {
				if (Referee.this.server.recordServer() != null) {
					// a late report of a heartbeat looks like a process that lives
					return;
				}
				throw Referee.this.world.violation("P9",
						"%s reports another process with its node id".formatted(process.name()));
			}

			@Override
			public void lost(Lost event) {
				Referee.this.losses++;
				Referee.this.world
					.trace(() -> "%s lost %s: %s".formatted(process.name(), event.token(), event.reason()));
				explain(process, event);
			}

		};
	}

	private void tookOver(SimulatedProcess process, Gained event) {
		int index = this.names.indexOf(event.election());
		Grant grant = this.grants[index].get(event.token().value());
		grant.gainedAt = this.world.now();
		grant.ledBefore = this.lastLed[index];
		grant.seen = process.node().lastTrouble() < grant.signBefore - this.leases.of(index);
	}

	/** A node loses leadership for a reason, or P6 is broken. */
	private void explain(SimulatedProcess process, Lost event) {
		long now = this.world.now();
		long lease = this.leases.of(this.names.indexOf(event.election()));
		boolean expired = event.reason() == LossReason.EXPIRED || event.reason() == LossReason.STORE_UNREACHABLE;
		if (expired && now - process.node().lastTrouble() > lease) {
			throw this.world.violation("P6",
					"%s lost %s by %s with nothing wrong".formatted(process.name(), event.token(), event.reason()));
		}
		if (event.reason() == LossReason.STOLEN && now - this.server.lastUpset() > 2 * lease + LATEST_MESSAGE) {
			throw this.world.violation("P6",
					"%s lost %s though nobody took it".formatted(process.name(), event.token()));
		}
		if (event.reason() == LossReason.SESSION_LOST
				&& (process != this.lastWithoutSession || now != this.lastSessionEnd)) {
			throw this.world.violation("P6",
					"%s lost %s though its session lasts".formatted(process.name(), event.token()));
		}
	}

}
