package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one guarded method, worked out before the first call.
 */
final class Guard {

	private static final Set<String> NEUTRAL = Set.of("Qualifier", "Nullable", "NonNull");

	private final Method method;

	private final ElectionName election;

	private final boolean skips;

	private final OnLoss onLoss;

	private final ResultKind result;

	private final Electors electors;

	private final int[] tokens;

	private final int[] leaderships;

	private volatile @Nullable LeaderElector elector;

	Guard(Method method, ElectionName election, boolean skips, OnLoss onLoss, ResultKind result, Electors electors) {
		this.method = method;
		this.election = election;
		this.skips = skips;
		this.onLoss = onLoss;
		this.result = result;
		this.electors = electors;
		this.tokens = parameters(method, FencingToken.class);
		this.leaderships = parameters(method, Leadership.class);
	}

	private static int[] parameters(Method method, Class<?> type) {
		Parameter[] parameters = method.getParameters();
		return IntStream.range(0, parameters.length)
			.filter((i) -> parameters[i].getType() == type && isOurs(parameters[i]))
			.toArray();
	}

	/** Another annotation, such as {@code @Header}, says where else it comes from. */
	private static boolean isOurs(Parameter parameter) {
		return Arrays.stream(parameter.getAnnotations())
			.map((annotation) -> annotation.annotationType().getSimpleName())
			.allMatch(NEUTRAL::contains);
	}

	Method method() {
		return this.method;
	}

	ElectionName election() {
		return this.election;
	}

	boolean skips() {
		return this.skips;
	}

	OnLoss onLoss() {
		return this.onLoss;
	}

	ResultKind result() {
		return this.result;
	}

	/** How many parameters can be filled in. */
	int suppliedParameters() {
		return this.tokens.length + this.leaderships.length;
	}

	/**
	 * Finds the elector before it is needed, unless it depends on the arguments.
	 * @throws RuntimeException if there is none
	 */
	void settle() {
		if (this.election.isConstant()) {
			this.elector = this.election.elector(this.electors, null);
		}
	}

	Optional<String> constantElection() {
		return this.election.isConstant()
				? Optional.of(this.election.elector(this.electors, null)).map(LeaderElector::election)
				: Optional.empty();
	}

	LeaderElector elector(MethodInvocation call) {
		LeaderElector known = this.elector;
		return (known != null) ? known : lookUp(call);
	}

	private LeaderElector lookUp(MethodInvocation call) {
		LeaderElector found = this.election.elector(this.electors, call);
		if (this.election.isConstant()) {
			this.elector = found;
		}
		return found;
	}

	/** Fills in those arguments that the caller has left to us. */
	void fillIn(MethodInvocation call, Leadership leadership) {
		if (suppliedParameters() == 0) {
			return;
		}
		Object[] arguments = call.getArguments();
		for (int i : this.tokens) {
			if (arguments[i] == null) {
				arguments[i] = leadership.token();
			}
		}
		for (int i : this.leaderships) {
			if (arguments[i] == null) {
				arguments[i] = leadership;
			}
		}
	}

	@Override
	public String toString() {
		return Problem.describe(this.method);
	}

}
