package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.util.ClassUtils;

/**
 * Makes a {@link Guard} of what the annotation of a method says, or says why it cannot.
 */
final class GuardReader {

	static final String REACTIVE = "reactor.core.publisher.Flux";

	private static final boolean REACTOR = ClassUtils.isPresent(REACTIVE, GuardReader.class.getClassLoader());

	private final ConfigurableListableBeanFactory beanFactory;

	private final Electors electors;

	private final ScheduledArguments scheduledArguments;

	GuardReader(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.electors = new Electors(beanFactory);
		this.scheduledArguments = new ScheduledArguments(beanFactory);
	}

	Electors electors() {
		return this.electors;
	}

	/**
	 * Reads the annotation of a method.
	 * @param method the most specific method
	 * @param annotation what it says
	 * @param problems where to put what is wrong with it
	 * @return the guard; {@code null} if there is a problem
	 */
	@Nullable Guard read(Method method, LeaderOnly annotation, Collection<Problem> problems) {
		ElectionName election = election(annotation, method, problems);
		ResultKind result = result(method, problems);
		if (election == null || result == null) {
			return null;
		}
		boolean scheduled = isScheduled(method);
		boolean skips = switch (annotation.otherwise()) {
			case SKIP -> true;
			case THROW -> false;
			case DEFAULT -> scheduled || method.getReturnType() == void.class;
		};
		if (skips && !result.canBeEmpty()) {
			problems.add(Problem.of(method,
					"returns %s, of which there is nothing that a skipped call could return"
						.formatted(method.getReturnType().getSimpleName()),
					"Set otherwise = NotLeaderPolicy.THROW, or let the method return void or an object"));
			return null;
		}
		Guard guard = new Guard(method, election, skips, annotation.onLoss(), result, this.electors);
		if (scheduled && method.getParameterCount() > 0) {
			this.scheduledArguments.check(guard, result instanceof PlainResult || result instanceof StageResult)
				.ifPresent(problems::add);
		}
		return guard;
	}

	@Nullable ElectionName election(LeaderOnly annotation, @Nullable Method method, Collection<Problem> problems) {
		try {
			return ElectionName.of(annotation.value(), method, this.beanFactory);
		}
		catch (RuntimeException ex) {
			problems.add(new Problem(
					"The election of @LeaderOnly(\"%s\")%s cannot be told: %s".formatted(annotation.value(),
							(method != null) ? " on " + Problem.describe(method) : "", ex.getMessage()),
					"Correct the name of the election, or define the property that it refers to"));
			return null;
		}
	}

	private static @Nullable ResultKind result(Method method, Collection<Problem> problems) {
		Class<?> type = method.getReturnType();
		if (KotlinDetector.isSuspendingFunction(method)) {
			problems.add(Problem.of(method, "is a suspending function, whose work cannot be followed",
					"Return a Mono, a Flux or a CompletionStage from it, or guard the function that it is called by"));
			return null;
		}
		if (StageResult.covers(type)) {
			return new StageResult();
		}
		if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)) {
			problems.add(Problem.of(method, "returns a %s, which cannot be followed".formatted(type.getName()),
					"Declare CompletableFuture or CompletionStage as its return type"));
			return null;
		}
		ReactiveAdapter adapter = (type != void.class) ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(type)
				: null;
		if (adapter == null) {
			return new PlainResult(type);
		}
		if (!REACTOR || !adapter.getDescriptor().isDeferred()) {
			problems.add(Problem.of(method, "returns a %s, which cannot be followed".formatted(type.getName()),
					"Add io.projectreactor:reactor-core, or let it return something that begins at its subscription"));
			return null;
		}
		return new ReactiveResult(adapter);
	}

	static boolean isScheduled(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)
				|| AnnotatedElementUtils.hasAnnotation(method, Schedules.class);
	}

}
