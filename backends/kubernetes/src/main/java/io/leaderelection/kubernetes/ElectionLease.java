package io.leaderelection.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * The record of an election as a Lease. The fields of the Lease say what they say
 * everywhere in Kubernetes; what they have no place for stands in annotations.
 *
 * <p>
 * The annotations count as long as the Lease is as it was written with them. If another
 * tool has written it since, or wrote it first, its fields alone say who holds it and for
 * how long; a token that is there is kept.
 */
final class ElectionLease {

	static final String DOMAIN = "leader-election.io/";

	static final String PREFIX_LABEL = DOMAIN + "prefix";

	static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

	static final String MANAGED_BY = "leader-election";

	static final String ELECTION = DOMAIN + "election";

	static final String TOKEN = DOMAIN + "token";

	static final String DURATION = DOMAIN + "lease-duration";

	static final String INCARNATION = DOMAIN + "incarnation";

	static final String RESERVED_FOR = DOMAIN + "reserved-for";

	/** When and what was written: the fields as they are if nobody else has since. */
	static final String WRITTEN = DOMAIN + "written";

	/** No two writes have the same, so that none is without effect. */
	static final String WRITE = DOMAIN + "write";

	/** Waited for where another tool does not say how long its lease lasts. */
	private static final Duration UNTOLD = Duration.ofMinutes(1);

	private static final Duration LONGEST = Duration.ofDays(366);

	private ElectionLease() {
	}

	/** What a Lease means. */
	static RecordSnapshot sight(Lease lease) {
		Version version = Version.of(lease);
		try {
			return new RecordSnapshot.Present(record(lease), version);
		}
		catch (IllegalArgumentException | DateTimeParseException ex) {
			return new RecordSnapshot.Unreadable("The Lease '%s' in namespace '%s'"
				.formatted(lease.getMetadata().getName(), lease.getMetadata().getNamespace()), version);
		}
	}

	private static LeaseRecord record(Lease lease) {
		Map<String, String> annotations = annotations(lease);
		LeaseSpec spec = (lease.getSpec() != null) ? lease.getSpec() : new LeaseSpec();
		String holder = spec.getHolderIdentity();
		boolean held = holder != null && !holder.isEmpty();
		String token = annotations.get(TOKEN);
		if (annotations.containsKey(WRITTEN) && annotations.get(WRITTEN).equals(fingerprint(spec))) {
			String incarnation = annotations.get(INCARNATION);
			if (held != (incarnation != null)) {
				throw new IllegalArgumentException("A holder has an incarnation");
			}
			return new LeaseRecord(parse(token), Duration.parse(annotations.getOrDefault(DURATION, "")),
					held ? new Owner(holder, Objects.requireNonNull(incarnation)) : null, null,
					annotations.get(RESERVED_FOR));
		}
		long kept = (token != null) ? parse(token) : 0;
		Duration duration = duration(spec);
		return held ? LeaseRecord.foreign(kept, holder, duration) : new LeaseRecord(kept, duration, null, null, null);
	}

	private static long parse(@Nullable String token) {
		long value = Long.parseLong(Objects.requireNonNullElse(token, ""));
		if (value <= 0) {
			throw new IllegalArgumentException("No token: " + token);
		}
		return value;
	}

	private static Duration duration(LeaseSpec spec) {
		Integer seconds = spec.getLeaseDurationSeconds();
		if (seconds == null || seconds <= 0) {
			return UNTOLD;
		}
		Duration duration = Duration.ofSeconds(seconds);
		return (duration.compareTo(LONGEST) > 0) ? LONGEST : duration;
	}

	private static String fingerprint(LeaseSpec spec) {
		String holder = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
		String renewed = (spec.getRenewTime() != null) ? micros(spec.getRenewTime()).toString() : "";
		return "%s %s %s".formatted(renewed, spec.getLeaseDurationSeconds(), LeaseNames.hash(holder));
	}

	private static Instant micros(ZonedDateTime time) {
		return time.toInstant().truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * The Lease to write.
	 * @param names what it is called
	 * @param election the election
	 * @param seen what it replaces
	 * @param next what it shall mean
	 * @param now the time of day, for people
	 */
	static Lease next(LeaseNames names, String election, RecordSnapshot seen, LeaseRecord next, Instant now) {
		Optional<Lease> before = version(seen).map(Version::lease);
		LeaseSpec spec = spec(before.map(Lease::getSpec), seen, next, now.atZone(ZoneOffset.UTC));
		ObjectMeta metadata = before.map(Lease::getMetadata)
			.map((present) -> new ObjectMetaBuilder(present).withManagedFields())
			.orElseGet(ObjectMetaBuilder::new)
			.withName(names.of(election))
			.addToLabels(MANAGED_BY_LABEL, MANAGED_BY)
			.addToLabels(PREFIX_LABEL, names.prefix())
			.removeFromAnnotations(INCARNATION)
			.removeFromAnnotations(RESERVED_FOR)
			.addToAnnotations(annotations(election, next, spec))
			.build();
		return before.map(LeaseBuilder::new).orElseGet(LeaseBuilder::new).withMetadata(metadata).withSpec(spec).build();
	}

	private static LeaseSpec spec(Optional<LeaseSpec> before, RecordSnapshot seen, LeaseRecord next,
			ZonedDateTime now) {
		LeaseSpecBuilder spec = before.map(LeaseSpecBuilder::new).orElseGet(LeaseSpecBuilder::new).withRenewTime(now);
		Owner holder = next.holder();
		if (holder == null) {
			// as client-go does, so that nobody waits for what is over
			return spec.withHolderIdentity("").withLeaseDurationSeconds(1).withAcquireTime(null).build();
		}
		spec.withHolderIdentity(holder.nodeId()).withLeaseDurationSeconds(seconds(next.duration()));
		boolean renewed = seen instanceof RecordSnapshot.Present present && next.token() == present.record().token()
				&& holder.equals(present.record().holder());
		if (!renewed || spec.getAcquireTime() == null) {
			spec.withAcquireTime(now);
		}
		Integer transitions = spec.getLeaseTransitions();
		if (transitions == null) {
			transitions = before.isPresent() ? 1 : 0;
		}
		else if (!renewed && transitions < Integer.MAX_VALUE) {
			transitions++;
		}
		return spec.withLeaseTransitions(transitions).build();
	}

	/** Whole seconds, and rather one too many. */
	private static int seconds(Duration duration) {
		long seconds = duration.plusSeconds(1).minusNanos(1).toSeconds();
		return (int) Math.min(Math.max(seconds, 1), Integer.MAX_VALUE);
	}

	private static Map<String, String> annotations(String election, LeaseRecord next, LeaseSpec spec) {
		Map<String, String> annotations = new HashMap<>();
		annotations.put(ELECTION, election);
		annotations.put(TOKEN, Long.toString(next.token()));
		annotations.put(DURATION, next.duration().toString());
		annotations.put(WRITTEN, fingerprint(spec));
		annotations.put(WRITE, UUID.randomUUID().toString());
		if (next.holder() != null) {
			annotations.put(INCARNATION, next.holder().incarnation());
		}
		if (next.reservedFor() != null) {
			annotations.put(RESERVED_FOR, next.reservedFor());
		}
		return annotations;
	}

	private static Map<String, String> annotations(Lease lease) {
		Map<String, String> annotations = lease.getMetadata().getAnnotations();
		return (annotations != null) ? annotations : Map.of();
	}

	private static Optional<Version> version(RecordSnapshot seen) {
		if (seen instanceof RecordSnapshot.Present present) {
			return Optional.of((Version) present.version());
		}
		if (seen instanceof RecordSnapshot.Unreadable unreadable) {
			return Optional.of((Version) unreadable.version());
		}
		return Optional.empty();
	}

	/**
	 * Which of its writes a Lease is the result of. A Lease that was deleted and made
	 * anew has another uid; the mark of the write tells what a restored cluster counts
	 * twice.
	 */
	static final class Version {

		private final String uid;

		private final String resourceVersion;

		private final @Nullable String write;

		private final Lease lease;

		private Version(Lease lease) {
			this.uid = String.valueOf(lease.getMetadata().getUid());
			this.resourceVersion = String.valueOf(lease.getMetadata().getResourceVersion());
			this.write = annotations(lease).get(WRITE);
			this.lease = lease;
		}

		static Version of(Lease lease) {
			return new Version(lease);
		}

		Lease lease() {
			return this.lease;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Version version && this.uid.equals(version.uid)
					&& this.resourceVersion.equals(version.resourceVersion)
					&& Objects.equals(this.write, version.write);
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.uid, this.resourceVersion);
		}

		@Override
		public String toString() {
			return "%s/%s".formatted(this.uid, this.resourceVersion);
		}

	}

}
