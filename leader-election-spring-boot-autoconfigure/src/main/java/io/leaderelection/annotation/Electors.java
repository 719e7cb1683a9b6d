package io.leaderelection.annotation;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The electors of the application, looked for as late as possible: a post-processor that
 * needed them would have the store made before its time.
 */
final class Electors {

	static final String DEFAULT_ELECTION = "default";

	private static final Log logger = LogFactory.getLog(Electors.class);

	private final ObjectProvider<LeaderElections> elections;

	private final ObjectProvider<LeaderElector> beans;

	private final Map<String, LeaderElector> known = new ConcurrentHashMap<>();

	private final ObjectProvider<LeaderOnlyProperties> properties;

	private final Set<String> dynamic = new HashSet<>();

	private boolean warned;

	Electors(ListableBeanFactory beanFactory) {
		this.properties = beanFactory.getBeanProvider(LeaderOnlyProperties.class);
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
	 * The elector of an election that the arguments of a call name, made if there is
	 * none. Elections that exist for another reason do not count.
	 * @param election the election's name
	 * @return its elector
	 * @throws IllegalStateException if there would be too many such elections
	 */
	LeaderElector dynamicallyNamed(String election) {
		LeaderElector elector = this.known.get(election);
		return (elector != null) ? elector : addDynamic(election);
	}

	private synchronized LeaderElector addDynamic(String election) {
		if (elections().find(election).isPresent()) {
			return named(election);
		}
		int max = this.properties.getIfAvailable(LeaderOnlyProperties::new).getMaxDynamicElections();
		if (this.dynamic.size() >= max) {
			String message = ("The election '%s' is rejected: @LeaderOnly expressions have named %d elections on this "
					+ "node, as many as %s.max-dynamic-elections=%d allows. Increase the property, declare the election "
					+ "below leader-election.elections, or use an expression with fewer values")
				.formatted(election, this.dynamic.size(), LeaderOnlyProperties.PREFIX, max);
			if (!this.warned) {
				this.warned = true;
				logger.warn(message);
			}
			throw new IllegalStateException(message);
		}
		LeaderElector added = named(election);
		this.dynamic.add(election);
		return added;
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
