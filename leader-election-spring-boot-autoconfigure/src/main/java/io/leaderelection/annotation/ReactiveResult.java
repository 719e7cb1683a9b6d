package io.leaderelection.annotation;

import java.util.function.UnaryOperator;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.Registration;
import io.leaderelection.Work;
import io.leaderelection.annotation.GuardedCallObserver.ObservedCall;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;

/**
 * Nothing happens before somebody subscribes. Every subscription is a call of the method
 * of its own, and its work is over when the stream ends or is cancelled.
 */
final class ReactiveResult implements ResultKind {

	private final ReactiveAdapter adapter;

	ReactiveResult(ReactiveAdapter adapter) {
		this.adapter = adapter;
	}

	@Override
	public boolean canBeEmpty() {
		return this.adapter.supportsEmpty();
	}

	@Override
	public Object call(Guard guard, MethodInvocation call, GuardedCalls calls) {
		Publisher<Object> guarded = (subscriber) -> subscribe(guard, (ProxyMethodInvocation) call, calls, subscriber);
		return this.adapter.fromPublisher(this.adapter.isMultiValue() ? Flux.from(guarded) : Mono.fromDirect(guarded));
	}

	private void subscribe(Guard guard, ProxyMethodInvocation call, GuardedCalls calls,
			Subscriber<? super Object> subscriber) {
		LeaderElector elector;
		try {
			elector = guard.elector(call);
		}
		catch (RuntimeException ex) {
			Operators.error(subscriber, ex);
			return;
		}
		Leadership outer = CurrentLeadership.get();
		Work work = elector.begin(guard.onLoss()).orElse(null);
		if (work == null) {
			refuse(subscriber, calls.refused(guard, elector));
			return;
		}
		try {
			boolean cancels = GuardedCalls.cancels(guard, work.leadership(), outer);
			new Stream(guard, calls, work.detached(), cancels, subscriber).subscribe(call, subscriber);
		}
		finally {
			work.end();
		}
	}

	private static void refuse(Subscriber<? super Object> subscriber, @Nullable NotLeaderException refusal) {
		if (refusal != null) {
			Operators.error(subscriber, refusal);
		}
		else {
			Operators.complete(subscriber);
		}
	}

	/**
	 * One subscription, from its admission to its end.
	 */
	private final class Stream {

		private final Guard guard;

		private final GuardedCalls calls;

		private final Work work;

		private final Leadership leadership;

		private final boolean cancels;

		private final long begun;

		private final @Nullable ObservedCall observed;

		private volatile boolean dismissed;

		private volatile @Nullable Throwable failure;

		private volatile boolean lasted = true;

		Stream(Guard guard, GuardedCalls calls, Work work, boolean cancels, Subscriber<?> subscriber) {
			this.guard = guard;
			this.calls = calls;
			this.work = work;
			this.leadership = work.leadership();
			this.cancels = cancels;
			this.begun = calls.began(guard, this.leadership);
			this.observed = calls.observe(guard, this.leadership, contextOf(subscriber));
		}

		private static UnaryOperator<@Nullable Object> contextOf(Subscriber<?> subscriber) {
			return (subscriber instanceof CoreSubscriber<?> core)
					? (key) -> core.currentContext().getOrDefault(key, null) : GuardedCalls.NO_CONTEXT;
		}

		void subscribe(ProxyMethodInvocation call, Subscriber<? super Object> subscriber) {
			Publisher<Object> source;
			try {
				source = source(call);
			}
			catch (Throwable ex) {
				Throwable failure = failed(ex);
				ended();
				Operators.error(subscriber, failure);
				return;
			}
			followed(source).subscribe(subscriber);
		}

		private Publisher<Object> source(ProxyMethodInvocation call) throws Throwable {
			MethodInvocation own = call.invocableClone();
			this.guard.fillIn(own, this.leadership);
			return ReactiveResult.this.adapter.toPublisher(GuardedCalls.proceed(this.guard, own, this.observed));
		}

		private Publisher<Object> followed(Publisher<Object> source) {
			if (ReactiveResult.this.adapter.isMultiValue()) {
				Flux<Object> values = Flux.from(source);
				return (this.cancels ? values.takeUntilOther(ending()) : values)
					.doOnComplete(() -> requireLasting(false))
					.onErrorMap(this::failed)
					.doFinally((signal) -> ended())
					.contextWrite(this::carriedAlong);
			}
			Mono<Object> value = Mono.fromDirect(source);
			return (this.cancels ? value.takeUntilOther(ending()) : value)
				.doOnSuccess((result) -> requireLasting(result != null))
				.onErrorMap(this::failed)
				.doFinally((signal) -> ended())
				.contextWrite(this::carriedAlong);
		}

		private Context carriedAlong(Context context) {
			Context own = context.put(Leadership.class, this.leadership);
			return (this.observed != null) ? own.putAllMap(this.observed.context()) : own;
		}

		/**
		 * Completes when leadership begins to end. An error would not do: it would end
		 * the stream without cancelling its source.
		 */
		private Mono<Object> ending() {
			return Mono.create((sink) -> {
				Registration registration = this.leadership.onEnding(() -> {
					this.dismissed = true;
					sink.success();
				});
				sink.onDispose(registration::close);
			});
		}

		private void requireLasting(boolean hasValue) {
			if (!this.leadership.isHeld() || this.dismissed && !hasValue) {
				throw new LeadershipLostException(this.leadership.token());
			}
		}

		private Throwable failed(Throwable failure) {
			this.failure = failure;
			this.lasted = this.leadership.isHeld() && !(failure instanceof LeadershipLostException);
			return this.lasted ? failure : GuardedCalls.withLoss(failure, this.leadership);
		}

		private void ended() {
			this.work.end();
			this.calls.ended(this.guard, this.leadership, this.begun, this.observed, this.lasted, this.failure);
		}

	}

}
