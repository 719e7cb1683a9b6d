package io.leaderelection.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What happens to calls of guarded methods.
 */
@Timeout(60)
class LeaderOnlyTests {

	@Test
	void theLeaderDoesTheWork() {
		Application.of(Reports.class).leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.publish();
			assertThat(reports.read("a")).isEqualTo("report a");
			assertThat(reports.count()).isEqualTo(1);
			assertThat(reports.published()).isEqualTo(1);
		});
	}

	@Test
	void aFollowerSkipsWhatReturnsNothingAndRefusesTheRest() {
		Application.of(Reports.class).follows((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.publish();
			assertThat(reports.published()).isZero();
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> reports.read("a"))
				.withMessage("This node does not lead 'default'; the leader is 'rival'")
				.satisfies((refusal) -> assertThat(refusal.leader()).isPresent());
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(reports::count);
		});
	}

	@Test
	void whatIsSkippedReturnsSomethingEmpty() {
		Application.of(Reports.class).follows((context) -> {
			Reports reports = context.getBean(Reports.class);
			assertThat(reports.readOrNull()).isNull();
			assertThat(reports.find()).isEmpty();
			assertThat(reports.number()).isEmpty();
		});
	}

	@Test
	void whatReturnsNothingCanBeRefusedToo() {
		Application.of(Reports.class)
			.follows((context) -> assertThatExceptionOfType(NotLeaderException.class)
				.isThrownBy(context.getBean(Reports.class)::publishOrThrow));
	}

	@Test
	void anUnguardedMethodOfAGuardedBeanRunsAnywhere() {
		Application.of(Reports.class)
			.follows((context) -> assertThat(context.getBean(Reports.class).published()).isZero());
	}

	@Test
	void anAnnotatedClassGuardsAllItsMethodsAndAMethodGoesBeforeIt() {
		Application.of(Everything.class).follows((context) -> {
			Everything everything = context.getBean(Everything.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(everything::first);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(everything::inherited);
			assertThat(everything.second()).isNull();
			assertThat(everything.toString()).isEqualTo("everything");
		});
	}

	@Test
	void anAnnotationIsInheritedAndMayStandOnAnInterfaceOrAnotherAnnotation() {
		Application.of(Heirs.class).follows((context) -> {
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Child.class)::first);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Child.class)::ofChild);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Task.class)::run);
			assertThat(context.getBean(Composed.class).work()).isNull();
			assertThat(context.getBean(LeaderElections.class).find("mails")).isPresent();
		});
	}

	@Test
	void interfacesAloneAreProxiedToo() {
		Application.of(TaskOfMany.class).with("spring.aop.proxy-target-class=false").follows((context) -> {
			Task task = context.getBean(Task.class);
			assertThat(task).isNotInstanceOf(TaskOfMany.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(task::run);
		});
		Application.of(TaskOfMany.class)
			.with("spring.aop.proxy-target-class=false")
			.leads((context) -> assertThat(context.getBean(Task.class).run()).isEqualTo("done"));
	}

	@Test
	void aProxyThatKnowsMoreThanItsTargetIsGuardedToo() {
		Application.of(Repositories.class).follows((context) -> {
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Repository.class)::find);
			assertThat(context.getBean(Repository.class).count()).isEqualTo(1);
		});
		Application.of(Repositories.class)
			.leads((context) -> assertThat(context.getBean(Repository.class).find()).isEqualTo("found"));
	}

	@Test
	void aProxyThatTakesNoMoreAdviceIsGuardedByAnother() {
		Application.of(FrozenTask.class)
			.follows((context) -> assertThatExceptionOfType(NotLeaderException.class)
				.isThrownBy(context.getBean(Task.class)::run));
		Application.of(FrozenTask.class)
			.leads((context) -> assertThat(context.getBean(Task.class).run()).isEqualTo("done"));
	}

	@Test
	void aPlaceholderNamesTheElection() {
		Application.of(Named.class)
			.with("reports.election=reports", "leader-election.elections.reports=", "leader-election.elections.mails=")
			.follows("reports", (context) -> {
				assertThatExceptionOfType(NotLeaderException.class)
					.isThrownBy(context.getBean(Named.class)::placeholder)
					.withMessageContaining("'reports'");
				assertThat(context.getBean(LeaderElections.class).find("constant-reports")).isPresent();
			});
	}

	@Test
	void argumentsNameTheElection() {
		Application.of(Named.class).with("reports.election=reports").follows("tenant-a", (context) -> {
			Named named = context.getBean(Named.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> named.argument("a"))
				.withMessageContaining("'tenant-a'");
			await().ignoreException(NotLeaderException.class).until(() -> "b".equals(named.argument("b")));
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> named.argument("a"));
			await().ignoreException(NotLeaderException.class).until(() -> "b".equals(named.position("b")));
		});
	}

	@Test
	void anElectionThatIsNotDeclaredIsStoodForFromTheStart() {
		Application.of(Undeclared.class)
			.leads((context) -> assertThat(context.getBean(LeaderElections.class).find("undeclared")).isPresent());
	}

	@Test
	void alsoForABeanThatIsMadeLater() {
		Application.of(Undeclared.class)
			.with("spring.main.lazy-initialization=true")
			.leads((context) -> assertThat(context.getBean(LeaderElections.class).find("undeclared")).isPresent());
	}

	@Test
	void withoutANameTheOnlyElectionIsMeant() {
		Application.of(Reports.class)
			.with("leader-election.elections.only=")
			.follows("only",
					(context) -> assertThatExceptionOfType(NotLeaderException.class)
						.isThrownBy(() -> context.getBean(Reports.class).read("a"))
						.withMessageContaining("'only'"));
	}

	@Test
	void tokenAndLeadershipAreFilledInWhereTheCallerLeavesThemOut() {
		Application.of(Reports.class).leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			FencingToken token = context.getBean(LeaderElector.class).fencingToken().orElseThrow();
			assertThat(reports.token(null, "a", null)).isEqualTo(List.of(token, "a", token));
			FencingToken own = new FencingToken("default", 1);
			assertThat(reports.token(own, "a", null)).isEqualTo(List.of(own, "a", token));
		});
	}

	@Test
	void theLeadershipIsCurrentDuringTheCallAndOnlyThen() {
		Application.of(Reports.class).leads((context) -> {
			Leadership leadership = context.getBean(LeaderElector.class).leadership().orElseThrow();
			assertThat(context.getBean(Reports.class).current()).contains(leadership);
			assertThat(Leadership.current()).isEmpty();
		});
	}

	@Test
	void aStepDownInterruptsTheCallAndWaitsForIt() throws Exception {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			CompletableFuture<Void> call = CompletableFuture.runAsync(reports::untilInterrupted);
			await().until(() -> reports.isWaiting());
			assertThat(context.getBean(LeaderElector.class).stepDown()).succeedsWithin(Duration.ofSeconds(10));
			assertThat(reports.isInterrupted()).isTrue();
			assertThat(call).succeedsWithin(Duration.ofSeconds(10));
		});
	}

	@Test
	void aCallThatIsNotInterruptedIsWaitedFor() {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			Reports reports = context.getBean(Reports.class);
			CompletableFuture<Void> call = CompletableFuture.runAsync(reports::untilReleased);
			await().until(() -> reports.isWaiting());
			CompletableFuture<Boolean> released = context.getBean(LeaderElector.class).stepDown();
			await().until(() -> !context.getBean(LeaderElector.class).isLeader());
			reports.publish();
			assertThat(reports.published()).isZero();
			assertThat(application.leases().journal).isEmpty();
			assertThat(released).isNotDone();
			reports.release();
			assertThat(released).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
			assertThat(call).succeedsWithin(Duration.ofSeconds(10));
		});
	}

	@Test
	void whoLosesTheLeaseMeanwhileIsTold() {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			assertThatExceptionOfType(LeadershipLostException.class)
				.isThrownBy(() -> context.getBean(Reports.class).during(() -> application.leases().steal(elector)));
		});
	}

	@Test
	void theExceptionOfTheWorkGoesBeforeTheLoss() {
		Application application = Application.of(Reports.class);
		application.leads((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			IllegalStateException failure = new IllegalStateException("the work failed");
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> context.getBean(Reports.class).during(() -> {
					application.leases().steal(elector);
					throw failure;
				}))
				.isSameAs(failure)
				.satisfies((thrown) -> assertThat(thrown.getSuppressed())
					.hasOnlyElementsOfType(LeadershipLostException.class)
					.hasSize(1));
		});
	}

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

	@Test
	void withoutGuardingEverythingRunsEverywhere() {
		Application.of(Reports.class).with("leader-election.leader-only.enabled=false").follows((context) -> {
			context.getBean(Reports.class).publish();
			assertThat(context.getBean(Reports.class).published()).isEqualTo(1);
		});
	}

	static class Reports {

		private final CountDownLatch release = new CountDownLatch(1);

		private volatile int published;

		private volatile boolean waiting;

		private volatile boolean interrupted;

		boolean isWaiting() {
			return this.waiting;
		}

		boolean isInterrupted() {
			return this.interrupted;
		}

		void release() {
			this.release.countDown();
		}

		int published() {
			return this.published;
		}

		@LeaderOnly
		void publish() {
			this.published++;
		}

		@LeaderOnly(otherwise = Otherwise.THROW)
		void publishOrThrow() {
			this.published++;
		}

		@LeaderOnly
		void fail() {
			throw new IllegalStateException("failed");
		}

		@LeaderOnly
		String read(String name) {
			return "report " + name;
		}

		@LeaderOnly
		int count() {
			return this.published;
		}

		@LeaderOnly(otherwise = Otherwise.SKIP)
		@Nullable String readOrNull() {
			return "a";
		}

		@LeaderOnly(otherwise = Otherwise.SKIP)
		Optional<String> find() {
			return Optional.of("a");
		}

		@LeaderOnly(otherwise = Otherwise.SKIP)
		OptionalInt number() {
			return OptionalInt.of(1);
		}

		@LeaderOnly
		List<Object> token(@Nullable FencingToken token, String name, @Nullable Leadership leadership) {
			return List.of(token, name, leadership.token());
		}

		@LeaderOnly
		Optional<Leadership> current() {
			return Leadership.current();
		}

		@LeaderOnly
		void during(Runnable action) {
			action.run();
		}

		@LeaderOnly
		void untilInterrupted() {
			this.waiting = true;
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				this.interrupted = true;
			}
		}

		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		void untilReleased() {
			this.waiting = true;
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	static class Ancestor {

		String inherited() {
			return "inherited";
		}

	}

	@LeaderOnly
	static class Everything extends Ancestor {

		String first() {
			return "first";
		}

		@LeaderOnly(otherwise = Otherwise.SKIP)
		@Nullable String second() {
			return "second";
		}

		@Override
		public String toString() {
			return "everything";
		}

	}

	static class Parent {

		@LeaderOnly
		String first() {
			return "first";
		}

	}

	@LeaderOnly
	interface ChildRole {

		String ofChild();

	}

	static class Child extends Parent implements ChildRole {

		@Override
		String first() {
			return "overridden";
		}

		@Override
		public String ofChild() {
			return "child";
		}

	}

	interface Task {

		@LeaderOnly
		String run();

	}

	static class TaskOfMany implements Task {

		@Override
		public String run() {
			return "done";
		}

	}

	interface Repository {

		@LeaderOnly
		String find();

		int count();

	}

	/**
	 * Makes what repositories are: a proxy whose target does not have its interface.
	 */
	static class Repositories implements FactoryBean<Repository> {

		@Override
		public Repository getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new Object());
			factory.addInterface(Repository.class);
			factory.addAdvice((MethodInterceptor) (call) -> call.getMethod().getName().equals("find") ? "found"
					: Integer.valueOf(1));
			return (Repository) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Repository.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FrozenTask {

		@Bean
		Task task() {
			ProxyFactory factory = new ProxyFactory(new TaskOfMany());
			factory.setFrozen(true);
			return (Task) factory.getProxy();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@LeaderOnly(otherwise = Otherwise.SKIP)
	@interface Once {

		@AliasFor(annotation = LeaderOnly.class, attribute = "value")
		String election() default "";

		@AliasFor(annotation = LeaderOnly.class)
		Otherwise otherwise() default Otherwise.SKIP;

	}

	static class Composed {

		@Once
		@Nullable String work() {
			return "done";
		}

		@Once(election = "mails", otherwise = Otherwise.THROW)
		String other() {
			return "done";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Child.class, TaskOfMany.class, Composed.class })
	static class Heirs {

	}

	static class Named {

		@LeaderOnly("${reports.election}")
		String placeholder() {
			return "done";
		}

		@LeaderOnly("#{'constant-' + environment.getProperty('reports.election')}")
		void constant() {
		}

		@LeaderOnly("tenant-#{#tenant}")
		String argument(String tenant) {
			return tenant;
		}

		@LeaderOnly("#{'tenant-' + #p0}")
		String position(String tenant) {
			return tenant;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Undeclared {

		@Bean
		@Lazy
		Lazybones lazybones() {
			return new Lazybones();
		}

	}

	static class Lazybones {

		@LeaderOnly("undeclared")
		void work() {
		}

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
