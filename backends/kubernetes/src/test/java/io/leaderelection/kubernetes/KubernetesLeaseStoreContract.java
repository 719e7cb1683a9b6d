package io.leaderelection.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;

/**
 * The contract of stores, for Leases; each test has a prefix of its own.
 */
abstract class KubernetesLeaseStoreContract extends LeaseStoreContract {

	private final String prefix = "x" + UUID.randomUUID();

	/** A client for one store. */
	abstract KubernetesClient connect();

	/** A client that goes past the stores. */
	abstract KubernetesClient admin();

	/** Where the Leases are. */
	abstract String namespace();

	@Override
	protected LeaseStore newStore() {
		return newStore(this.prefix);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return newStore(this.prefix + "-other");
	}

	private LeaseStore newStore(String prefix) {
		KubernetesClient client = connect();
		return newStore(client, prefix);
	}

	/** A store that closes its client. */
	LeaseStore newStore(KubernetesClient client, String prefix) {
		return new KubernetesLeaseStore(client, namespace(), prefix, InstantSource.system(), client::close);
	}

	/** A third of it has to be enough for a write to each of hundreds of Leases. */
	@Override
	protected Duration longLeaseDuration() {
		return Duration.ofMinutes(1);
	}

	@Override
	protected void loseAllData() {
		admin().leases()
			.inNamespace(namespace())
			.list()
			.getItems()
			.stream()
			.filter((lease) -> lease.getMetadata().getName().startsWith(this.prefix))
			.forEach((lease) -> admin().resource(lease).inNamespace(namespace()).delete());
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		if (hostile.isEnd()) {
			cannot("plant an end, since the end of a Lease is not read");
		}
		LeaseNames names = new LeaseNames(this.prefix);
		Lease present = admin().leases().inNamespace(namespace()).withName(names.of(election)).get();
		if (present == null) {
			LeaseRecord free = new LeaseRecord(1, Duration.ofSeconds(10), null, null, null);
			present = admin()
				.resource(ElectionLease.next(names, election, new RecordSnapshot.Absent(), free, Instant.now()))
				.inNamespace(namespace())
				.create();
		}
		admin().resource(planted(hostile, present)).inNamespace(namespace()).update();
	}

	private static Lease planted(HostileRecord hostile, Lease lease) {
		return switch (hostile) {
			case GARBAGE -> annotated(lease, Map.of(ElectionLease.TOKEN, "mine", ElectionLease.DURATION, "for ever"));
			case NEGATIVE_TOKEN -> annotated(lease, Map.of(ElectionLease.TOKEN, "-1"));
			case HIGHEST_TOKEN -> annotated(lease, Map.of(ElectionLease.TOKEN, Long.toString(Long.MAX_VALUE)));
			case OTHER_OWNER,
					OWNER_WITH_CONTROL_CHARACTERS ->
				new LeaseBuilder(lease).editOrNewSpec()
					.withHolderIdentity(hostile.text().isEmpty() ? "stranger" : hostile.text())
					.withLeaseDurationSeconds(60)
					.withRenewTime(Instant.now().atZone(ZoneOffset.UTC))
					.endSpec()
					.build();
			case TOKEN_HEXADECIMAL, TOKEN_OVERFLOW -> annotated(lease, Map.of(ElectionLease.TOKEN, hostile.text()));
			default -> annotated(lease, Map.of(ElectionLease.DURATION, hostile.text()));
		};
	}

	private static Lease annotated(Lease lease, Map<String, String> annotations) {
		return new LeaseBuilder(lease).editMetadata().addToAnnotations(annotations).endMetadata().build();
	}

}
