package io.leaderelection.web;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Finds the leadership of this node that a parameter of a handler asks for.
 */
final class OwnLeadership {

	private static final String DEFAULT_ELECTION = "default";

	private final ObjectProvider<LeaderElections> elections;

	private final List<HandlerElectionResolver> strategies;

	OwnLeadership(ObjectProvider<LeaderElections> elections, List<HandlerElectionResolver> strategies) {
		this.elections = elections;
		this.strategies = List.copyOf(strategies);
	}

	/**
	 * Also where there are no elections: Spring would bind a token from the parameters of
	 * the request otherwise, as the caller likes it.
	 */
	boolean supports(MethodParameter parameter) {
		Class<?> type = parameter.nestedIfOptional().getNestedParameterType();
		return (type == FencingToken.class || type == Leadership.class) && !CallerTokenParameter.is(parameter);
	}

	/**
	 * The argument for a parameter.
	 * @param parameter the parameter
	 * @param present the leadership that the request is handled under already
	 * @return the argument
	 */
	@Nullable Object argument(MethodParameter parameter, @Nullable Leadership present) {
		if (!parameter.isOptional() && isGuarded(parameter)) {
			// by the guard: what is found here may have ended when the handler begins
			return null;
		}
		Optional<Leadership> leadership = find(parameter, present);
		Optional<?> argument = (parameter.nestedIfOptional().getNestedParameterType() == FencingToken.class)
				? leadership.map(Leadership::token) : leadership;
		return (parameter.getParameterType() == Optional.class) ? argument : argument.orElse(null);
	}

	private Optional<Leadership> find(MethodParameter parameter, @Nullable Leadership present) {
		boolean dispensable = parameter.isOptional() || isGuarded(parameter);
		Optional<String> election = election(parameter);
		if (present != null && election.map(present.token().election()::equals).orElse(true)) {
			if (!present.isHeld() && !dispensable) {
				throw new LeadershipLostException(present.token());
			}
			return Optional.of(present).filter(Leadership::isHeld);
		}
		LeaderElector elector = elector(parameter, election);
		Optional<Leadership> leadership = elector.leadership();
		if (leadership.isEmpty() && !dispensable) {
			throw new NotLeaderException(elector.election(), elector.getCurrentLeader());
		}
		return leadership;
	}

	private boolean isGuarded(MethodParameter parameter) {
		return this.strategies.stream().anyMatch((strategy) -> strategy.isGuarded(parameter));
	}

	private Optional<String> election(MethodParameter parameter) {
		MergedAnnotation<Qualifier> qualifier = MergedAnnotations.from(parameter.getParameterAnnotations())
			.get(Qualifier.class);
		if (qualifier.isPresent()) {
			return Optional.of(qualifier.getString(MergedAnnotation.VALUE));
		}
		return this.strategies.stream().flatMap((strategy) -> strategy.election(parameter).stream()).findFirst();
	}

	private LeaderElector elector(MethodParameter parameter, Optional<String> election) {
		LeaderElections elections = this.elections.getIfAvailable();
		if (elections == null) {
			throw new IllegalStateException(("There is no LeaderElections bean to fill in %s. Check "
					+ "leader-election.enabled; for the token that the caller sent, add @CallerToken")
				.formatted(CallerTokenParameter.describe(parameter)));
		}
		if (election.isPresent()) {
			return elections.find(election.get())
				.orElseThrow(() -> new IllegalStateException(("There is no election '%s' to fill in %s. "
						+ "Declare it by leader-election.elections.%1$s, or correct the name")
					.formatted(election.get(), CallerTokenParameter.describe(parameter))));
		}
		return elections.find(DEFAULT_ELECTION)
			.or(() -> only(elections.electors()))
			.orElseThrow(() -> new IllegalStateException(("There is neither a single election nor one named '%s' "
					+ "to fill in %s. Add @Qualifier with the name of the election")
				.formatted(DEFAULT_ELECTION, CallerTokenParameter.describe(parameter))));
	}

	private static Optional<LeaderElector> only(Collection<LeaderElector> electors) {
		return (electors.size() == 1) ? electors.stream().findFirst() : Optional.empty();
	}

}
