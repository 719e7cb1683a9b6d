package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.annotation.LeaderOnlyTests.Reports;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who is told of guarded calls, and what becomes of those who throw.
 */
@Timeout(60)
class GuardedCallListenerTests {

	@Test
	void listenersAreToldOfEveryCall() {
		Application.of(Reports.class, Told.class).leads((context) -> {
			context.getBean(Reports.class).publish();
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(context.getBean(Reports.class)::fail);
			assertThat(context.getBean(Told.class).told).containsExactly("began publish", "executed publish",
					"began fail", "executed fail: failed");
		});
		Application.of(Reports.class, Told.class).follows((context) -> {
			context.getBean(Reports.class).publish();
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Reports.class)::count);
			assertThat(context.getBean(Told.class).told).containsExactly("skipped publish", "rejected count");
		});
		Application application = Application.of(Reports.class, Told.class);
		application.leads((context) -> {
			assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(() -> context.getBean(Reports.class)
				.during(() -> application.leases().steal(context.getBean(LeaderElector.class))));
			assertThat(context.getBean(Told.class).told).containsExactly("began during", "lost during");
		});
	}

	@Test
	void aListenerThatThrowsHarmsNobody() {
		Application.of(Reports.class, Thrower.class, Told.class).leads((context) -> {
			context.getBean(Reports.class).publish();
			assertThat(context.getBean(Reports.class).published()).isEqualTo(1);
			assertThat(context.getBean(Told.class).told).containsExactly("began publish", "executed publish");
			assertThat(context.getBean(LeaderElector.class).status().inFlight()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource(ThrowingObserver.At.class)
	void anObserverThatThrowsHarmsNobody(ThrowingObserver.At at) {
		Application application = Application.of(Reports.class, Told.class);
		new Application(application.runner().withBean(GuardedCallObserver.class, () -> new ThrowingObserver(at)),
				application.leases())
			.leads((context) -> {
				context.getBean(Reports.class).publish();
				assertThat(context.getBean(Reports.class).published()).isEqualTo(1);
				assertThat(context.getBean(Told.class).told).containsExactly("began publish", "executed publish");
				assertThat(context.getBean(LeaderElector.class).status().inFlight()).isZero();
			});
	}

	static class Told implements GuardedCallListener {

		final List<String> told = new CopyOnWriteArrayList<>();

		@Override
		public void began(Leadership leadership, Method method) {
			this.told.add("began " + method.getName());
		}

		@Override
		public void executed(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
			assertThat(nanos).isPositive();
			this.told.add("executed " + method.getName() + ((failure != null) ? ": " + failure.getMessage() : ""));
		}

		@Override
		public void skipped(String election, Method method) {
			this.told.add("skipped " + method.getName());
		}

		@Override
		public void rejected(String election, Method method) {
			this.told.add("rejected " + method.getName());
		}

		@Override
		public void lost(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
			assertThat(nanos).isPositive();
			this.told.add("lost " + method.getName());
		}

	}

	@Order(1)
	static class Thrower implements GuardedCallListener {

		@Override
		public void began(Leadership leadership, Method method) {
			throw new IllegalStateException("on purpose");
		}

		@Override
		public void executed(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
			throw new IllegalStateException("on purpose");
		}

	}

	record ThrowingObserver(At at) implements GuardedCallObserver, GuardedCallObserver.ObservedCall {

		@Override
		public ObservedCall begin(Leadership leadership, Method method, UnaryOperator<@Nullable Object> context) {
			throwAt(At.BEGIN);
			return this;
		}

		@Override
		public GuardedCallObserver.Scope open() {
			throwAt(At.OPEN);
			return () -> throwAt(At.CLOSE);
		}

		@Override
		public Map<Object, Object> context() {
			return Map.of();
		}

		@Override
		public void end(boolean lasted, @Nullable Throwable failure) {
			throwAt(At.END);
		}

		private void throwAt(At place) {
			if (this.at == place) {
				throw new IllegalStateException("on purpose");
			}
		}

		enum At {

			BEGIN, OPEN, CLOSE, END

		}

	}

}
