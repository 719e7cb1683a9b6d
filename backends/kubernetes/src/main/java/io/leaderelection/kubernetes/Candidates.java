package io.leaderelection.kubernetes;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.leaderelection.kubernetes.ApiServer.Answer;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Who stands by, on one Lease that nobody holds: an annotation for each node, changed by
 * patches that touch no other. Not on the Leases of elections, since every write of
 * theirs is a sign of life of their holder.
 *
 * <p>
 * An entry is forgotten by the clock of whoever reads it. No leadership rests on it.
 */
final class Candidates {

	static final String ENTRY = "candidate.leader-election.io/";

	private static final Duration LEFT_BEHIND = Duration.ofHours(1);

	private static final int MARK = 12;

	private static final int ATTEMPTS = 3;

	private final ApiServer server;

	private final LeaseNames names;

	private final InstantSource clock;

	Candidates(ApiServer server, LeaseNames names, InstantSource clock) {
		this.server = server;
		this.names = names;
		this.clock = clock;
	}

	void standBy(Owner node, Set<String> elections, Duration duration, Duration limit) {
		Requests requests = new Requests(limit);
		Entry entry = new Entry(node, this.clock.instant().plus(duration),
				elections.stream().map(Candidates::mark).collect(Collectors.toSet()));
		Map<String, @Nullable String> changes = new HashMap<>();
		changes.put(key(node), elections.isEmpty() ? null : entry.toString());
		Answer answer = patch(requests, changes);
		for (int i = 0; i < ATTEMPTS && answer.isNotFound(); i++) {
			Answer created = requests.await(requests.send((remaining) -> this.server.create(empty(), remaining)));
			if (!created.isOk() && !created.isConflict()) {
				throw created.failure();
			}
			answer = patch(requests, changes);
		}
		tidy(requests, answer.lease());
	}

	private Answer patch(Requests requests, Map<String, @Nullable String> changes) {
		Map<String, Object> patch = Map.of("metadata", Map.of("annotations", changes));
		return requests
			.await(requests.send((remaining) -> this.server.patch(this.names.candidates(), patch, remaining)));
	}

	private Lease empty() {
		return new LeaseBuilder().withNewMetadata()
			.withName(this.names.candidates())
			.addToLabels(ElectionLease.MANAGED_BY_LABEL, ElectionLease.MANAGED_BY)
			.endMetadata()
			.withNewSpec()
			.endSpec()
			.build();
	}

	/** Takes away what nodes have left behind that crashed long ago. */
	private void tidy(Requests requests, Lease lease) {
		Instant longAgo = this.clock.instant().minus(LEFT_BEHIND);
		Map<String, @Nullable String> changes = new HashMap<>();
		entries(lease).forEach((key, entry) -> {
			if (entry.filter((present) -> present.until.isAfter(longAgo)).isEmpty()) {
				changes.put(key, null);
			}
		});
		if (!changes.isEmpty()) {
			patch(requests, changes);
		}
	}

	List<Owner> of(String election, Duration limit) {
		Requests requests = new Requests(limit);
		Answer answer = requests
			.await(requests.send((remaining) -> this.server.get(this.names.candidates(), remaining)));
		if (answer.isNotFound()) {
			return List.of();
		}
		Instant now = this.clock.instant();
		return entries(answer.lease()).values()
			.stream()
			.flatMap(Optional::stream)
			.filter((entry) -> entry.until.isAfter(now) && entry.elections.contains(mark(election)))
			.map(Entry::node)
			.toList();
	}

	private static Map<String, Optional<Entry>> entries(Lease lease) {
		Map<String, Optional<Entry>> entries = new LinkedHashMap<>();
		Map<String, String> annotations = lease.getMetadata().getAnnotations();
		if (annotations != null) {
			annotations.forEach((key, value) -> {
				if (key.startsWith(ENTRY) && value != null) {
					entries.put(key, Entry.parse(value));
				}
			});
		}
		return entries;
	}

	private static String key(Owner node) {
		return ENTRY + LeaseNames.hash(node.toString());
	}

	/** Shorter than most names, since all annotations together have 256 KiB. */
	private static String mark(String election) {
		return LeaseNames.hash(election).substring(0, MARK);
	}

	/**
	 * What one node stands by for.
	 */
	private record Entry(Owner node, Instant until, Set<String> elections) {

		@Override
		public String toString() {
			return "%s %s %s %s".formatted(encode(this.node.nodeId()), encode(this.node.incarnation()), this.until,
					String.join(",", this.elections));
		}

		static Optional<Entry> parse(String text) {
			String[] parts = text.split(" ", -1);
			if (parts.length != 4) {
				return Optional.empty();
			}
			try {
				return Optional.of(new Entry(new Owner(decode(parts[0]), decode(parts[1])), Instant.parse(parts[2]),
						Set.of(parts[3].split(","))));
			}
			catch (IllegalArgumentException | DateTimeException ex) {
				return Optional.empty();
			}
		}

		private static String encode(String text) {
			return URLEncoder.encode(text, StandardCharsets.UTF_8);
		}

		private static String decode(String text) {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}

	}

}
