package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

import io.leaderelection.engine.NodeClock;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.WriteResult;

/**
 * How each rule of observed-time stores is broken.
 */
final class ObservedMutations {

	private ObservedMutations() {
	}

	private static boolean isRenewal(ConditionalWrite write) {
		return !write.isHeartbeat() && write.next().holder() != null && write.expected() instanceof Present present
				&& present.record().token() == write.next().token();
	}

	private static boolean isTakeover(ConditionalWrite write) {
		return write.next().holder() != null && !write.isHeartbeat() && !isRenewal(write);
	}

	static final class RenewalWithoutCheck implements Tampering {

		@Override
		public boolean isMet(ConditionalWrite write, boolean unchanged, boolean unbeaten) {
			return isRenewal(write) || (unchanged && unbeaten);
		}

	}

	static final class HeartbeatWithoutCheck implements Tampering {

		@Override
		public boolean isMet(ConditionalWrite write, boolean unchanged, boolean unbeaten) {
			return write.isHeartbeat() || (unchanged && unbeaten);
		}

	}

	static final class TakeoverWithoutHeartbeatCheck implements Tampering {

		@Override
		public boolean isMet(ConditionalWrite write, boolean unchanged, boolean unbeaten) {
			return unchanged;
		}

	}

	static final class TakeoverWithoutCheck implements Tampering {

		@Override
		public boolean isMet(ConditionalWrite write, boolean unchanged, boolean unbeaten) {
			return isTakeover(write) || (unchanged && unbeaten);
		}

	}

	static final class ReleaseWithoutCheck implements Tampering {

		@Override
		public boolean isMet(ConditionalWrite write, boolean unchanged, boolean unbeaten) {
			return write.next().holder() == null || (unchanged && unbeaten);
		}

	}

	static final class ExpiryAfterHalf implements Tampering {

		@Override
		public LongSupplier observationClock(NodeClock clock) {
			return () -> 2 * clock.nanos();
		}

	}

	/** What is read next on the clock, after a read, is when its request was sent. */
	static final class ExpiryFromRequest implements Tampering {

		private final Map<NodeClock, Long> requests = new HashMap<>();

		@Override
		public LongSupplier observationClock(NodeClock clock) {
			return () -> Objects.requireNonNullElseGet(this.requests.remove(clock), clock::nanos);
		}

		@Override
		public LeaseRecords records(LeaseRecords records, NodeClock clock) {
			return new Forwarding(records) {

				@Override
				public List<RecordSnapshot> read(List<String> elections, Duration limit) {
					long sentAt = clock.nanos();
					List<RecordSnapshot> snapshots = super.read(elections, limit);
					ExpiryFromRequest.this.requests.put(clock, sentAt);
					return snapshots;
				}

			};
		}

	}

	static final class TokenNotIncreased implements Tampering {

		@Override
		public LeaseRecords records(LeaseRecords records, NodeClock clock) {
			return new Forwarding(records) {

				@Override
				public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
					return super.write(writes.stream().map(TokenNotIncreased::keepToken).toList(), limit);
				}

			};
		}

		private static ConditionalWrite keepToken(ConditionalWrite write) {
			if (!isTakeover(write) || !(write.expected() instanceof Present present)) {
				return write;
			}
			LeaseRecord next = write.next();
			return new ConditionalWrite(write.election(), write.expected(), write.expectedHeartbeat(),
					new LeaseRecord(present.record().token(), next.duration(), next.holder(), next.heartbeat(), null));
		}

	}

	/**
	 * Records without heartbeats that forward to others.
	 */
	private static class Forwarding implements LeaseRecords {

		private final LeaseRecords records;

		Forwarding(LeaseRecords records) {
			this.records = records;
		}

		@Override
		public List<RecordSnapshot> read(List<String> elections, Duration limit) {
			return this.records.read(elections, limit);
		}

		@Override
		public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
			return this.records.write(writes, limit);
		}

		@Override
		public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
			this.records.registerCandidate(node, elections, duration, limit);
		}

		@Override
		public List<Owner> candidates(String election, Duration limit) {
			return this.records.candidates(election, limit);
		}

		@Override
		public Optional<LeaseStore.Watch> watch(Watcher watcher) {
			return this.records.watch(watcher);
		}

	}

}
