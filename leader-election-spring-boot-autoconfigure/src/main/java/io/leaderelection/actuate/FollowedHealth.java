package io.leaderelection.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health group that leadership follows, without the elections' own indicator: that
 * one would have a node stand aside because it cannot reach the store, and a node that
 * stands aside does not try to.
 */
final class FollowedHealth {

	private static final int FIRST_ERROR = 400;

	private final HealthContributors contributors;

	private final String name;

	private final HealthEndpointGroup group;

	FollowedHealth(HealthContributors contributors, HealthEndpointGroups groups, String name) {
		this.contributors = contributors;
		this.name = name;
		this.group = requireGroup(groups, name);
		if (members().isEmpty()) {
			throw HealthLeaderElectionProperties.invalid("group", name,
					"This health group has no member that says whether this node can work. "
							+ "Set management.endpoint.health.group.%s.include to the components that it needs."
								.formatted(name));
		}
	}

	private static HealthEndpointGroup requireGroup(HealthEndpointGroups groups, String name) {
		HealthEndpointGroup group = groups.get(name);
		if (group == null) {
			throw HealthLeaderElectionProperties.invalid("group", name,
					"There is no such health group, only %s. Name one of these, or define it with management.endpoint.health.group.%s.include."
						.formatted(new TreeSet<>(groups.getNames()), name));
		}
		return group;
	}

	String name() {
		return this.name;
	}

	/**
	 * Asks all members, however long they take.
	 * @return which are not well; {@code null} if the group is healthy as a whole
	 */
	@Nullable String trouble() {
		Map<String, Status> statuses = new LinkedHashMap<>();
		members().forEach((member, indicator) -> statuses.put(member, status(indicator)));
		if (isWell(this.group.getStatusAggregator().getAggregateStatus(Set.copyOf(statuses.values())))) {
			return null;
		}
		return statuses.entrySet()
			.stream()
			.filter((entry) -> !isWell(entry.getValue()))
			.map((entry) -> entry.getKey() + " is " + entry.getValue().getCode())
			.collect(Collectors.joining(", "));
	}

	/** What the group answers with over HTTP says what its owner takes for healthy. */
	private boolean isWell(Status status) {
		return this.group.getHttpCodeStatusMapper().getStatusCode(status) < FIRST_ERROR;
	}

	private static Status status(HealthIndicator indicator) {
		Health health = indicator.health(false);
		return (health != null) ? health.getStatus() : Status.UNKNOWN;
	}

	private Map<String, HealthIndicator> members() {
		Map<String, HealthIndicator> members = new LinkedHashMap<>();
		addMembers("", this.contributors, members);
		return members;
	}

	private void addMembers(String prefix, HealthContributors from, Map<String, HealthIndicator> members) {
		for (HealthContributors.Entry entry : from) {
			String path = prefix + entry.name();
			if (entry.contributor() instanceof HealthContributors nested) {
				addMembers(path + "/", nested, members);
			}
			else if (entry.contributor() instanceof HealthIndicator indicator
					&& !(indicator instanceof LeaderElectionHealthIndicator) && this.group.isMember(path)) {
				members.put(path, indicator);
			}
		}
	}

}
