package io.leaderelection.annotation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The electors of the application, looked for as late as possible: a post-processor that
 * needed them would have the store made before its time.
 */
final class Electors {

	static final String DEFAULT_ELECTION = "default";

	private final ObjectProvider<LeaderElections> elections;

	private final ObjectProvider<LeaderElector> beans;

	private final Map<String, LeaderElector> known = new ConcurrentHashMap<>();

	Electors(ListableBeanFactory beanFactory) {
		this.elections = beanFactory.getBeanProvider(LeaderElections.class);
		this.beans = beanFactory.getBeanProvider(LeaderElector.class);
	}

	/**
	 * The elector of an election, made if there is none, so that this node stands for it.
	 * @param election the election's name
	 * @return its elector
	 * @throws LeaderOnlyMisuseException if there are no elections at all
	 */
	LeaderElector named(String election) {
		LeaderElector elector = this.known.get(election);
		if (elector == null) {
			elector = elections().elector(election);
			this.known.put(election, elector);
		}
		return elector;
	}

	/**
	 * The elector of those who name no election: the one that could be injected without a
	 * name, too.
	 * @return the elector
	 * @throws LeaderOnlyMisuseException if there are several
	 */
	LeaderElector unnamed() {
		LeaderElector only = this.beans.getIfUnique();
		if (only != null) {
			return only;
		}
		List<String> names = this.beans.stream().map(LeaderElector::election).sorted().toList();
		if (names.isEmpty()) {
			return named(DEFAULT_ELECTION);
		}
		throw new LeaderOnlyMisuseException(
				List.of(new Problem("@LeaderOnly names no election, but there are several: " + names,
						"Name the election: @LeaderOnly(\"%s\")".formatted(names.get(0)))));
	}

	private LeaderElections elections() {
		LeaderElections elections = this.elections.getIfUnique();
		if (elections == null) {
			throw new LeaderOnlyMisuseException(List.of(new Problem(
					"There is no leader election, so that nobody can tell whether @LeaderOnly methods may run",
					"Set leader-election.enabled=true or define a LeaderElections bean. To run @LeaderOnly methods "
							+ "on every node, as if they were not annotated, set leader-election.leader-only.enabled=false")));
		}
		return elections;
	}

}
