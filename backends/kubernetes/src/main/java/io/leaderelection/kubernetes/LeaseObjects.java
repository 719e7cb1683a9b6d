package io.leaderelection.kubernetes;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.kubernetes.ApiServer.Answer;
import io.leaderelection.kubernetes.ElectionLease.Version;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.WriteResult;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Unknown;
import io.leaderelection.store.observed.WriteResult.Written;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;

/**
 * One Lease for each election. It is created once, replaced on the condition that it has
 * the version that was seen, and never deleted.
 */
final class LeaseObjects implements LeaseRecords {

	/** Up to so many are read one by one rather than with all others. */
	private static final int FEW = 3;

	private final ApiServer server;

	private final LeaseNames names;

	private final InstantSource clock;

	private final Candidates candidates;

	private final RecordWatch watching;

	private final Runnable closing;

	/**
	 * Elections whose Lease is there, but does not have the label that it is listed by.
	 */
	private final Set<String> unlisted = ConcurrentHashMap.newKeySet();

	LeaseObjects(KubernetesClient client, String namespace, String prefix, InstantSource clock, Runnable closing) {
		this.server = new ApiServer(client, namespace);
		this.names = new LeaseNames(prefix);
		this.clock = clock;
		this.closing = closing;
		this.candidates = new Candidates(this.server, this.names, clock);
		this.watching = new RecordWatch(client, namespace, this.server, this.names, selector());
	}

	private String selector() {
		return "%s=%s".formatted(ElectionLease.PREFIX_LABEL, this.names.prefix());
	}

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		Requests requests = new Requests(limit);
		Map<String, Lease> found = (elections.size() <= FEW) ? Map.of() : list(requests);
		Map<String, CompletableFuture<Answer>> single = new HashMap<>();
		for (String election : elections) {
			String name = this.names.of(election);
			if (found.containsKey(name)) {
				this.unlisted.remove(election);
			}
			else if (elections.size() <= FEW || this.unlisted.contains(election)) {
				single.put(election, requests.send((remaining) -> this.server.get(name, remaining)));
			}
		}
		return elections.stream().map((election) -> {
			CompletableFuture<Answer> answer = single.get(election);
			Optional<Lease> lease = (answer != null) ? single(requests.await(answer))
					: Optional.ofNullable(found.get(this.names.of(election)));
			return lease.map(ElectionLease::sight).orElseGet(RecordSnapshot.Absent::new);
		}).toList();
	}

	private Map<String, Lease> list(Requests requests) {
		Map<String, Lease> found = new HashMap<>();
		requests.await(requests.send((remaining) -> this.server.list(selector(), remaining)))
			.leases()
			.getItems()
			.forEach((lease) -> found.put(lease.getMetadata().getName(), lease));
		return found;
	}

	private static Optional<Lease> single(Answer answer) {
		return answer.isNotFound() ? Optional.empty() : Optional.of(answer.lease());
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		Requests requests = new Requests(limit);
		List<CompletableFuture<Answer>> answers = writes.stream()
			.map((write) -> requests.send((remaining) -> send(write, remaining)))
			.toList();
		List<WriteResult> results = new ArrayList<>(writes.size());
		for (int i = 0; i < writes.size(); i++) {
			results.add(result(writes.get(i), requests, answers.get(i)));
		}
		return results;
	}

	private CompletableFuture<Answer> send(ConditionalWrite write, Duration limit) {
		Lease lease = ElectionLease.next(this.names, write.election(), write.expected(), write.next(),
				this.clock.instant());
		return (write.expected() instanceof RecordSnapshot.Absent) ? this.server.create(lease, limit)
				: this.server.replace(lease, limit);
	}

	private WriteResult result(ConditionalWrite write, Requests requests, CompletableFuture<Answer> sent) {
		try {
			Answer answer = requests.await(sent);
			if (answer.isConflict()) {
				if (write.expected() instanceof RecordSnapshot.Absent) {
					this.unlisted.add(write.election());
				}
				return new Conflict();
			}
			if (answer.isNotFound() && !(write.expected() instanceof RecordSnapshot.Absent)) {
				return new Conflict();
			}
			return new Written(Version.of(answer.lease()));
		}
		catch (LeaseStoreException ex) {
			return new Unknown(ex);
		}
	}

	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		this.candidates.standBy(node, elections, duration, limit);
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		return this.candidates.of(election, limit);
	}

	@Override
	public Optional<LeaseStore.Watch> watch(Watcher watcher) {
		return Optional.of(this.watching.begin(watcher));
	}

	@Override
	public List<String> limits() {
		return List.of(
				"A Lease that is deleted is made anew: nodes that have seen it wait for its end first, nodes that start "
						+ "meanwhile do not, and tokens go on by the clocks of the nodes.",
				"A crashed leader is replaced one lease after its last renewal was seen.",
				"Who stands by is kept by the clocks of the nodes, and the label of the leader's pod is a hint.");
	}

	@Override
	public void close() {
		this.watching.close();
		this.closing.run();
	}

}
