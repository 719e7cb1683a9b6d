package io.leaderelection.annotation;

import java.util.concurrent.CompletableFuture;

import io.leaderelection.FencingToken;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What cannot work does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class MisuseTests {

	@Test
	void methodsThatNoProxyCanGuard() {
		Application.of(Private.class).fails("Private.work() is private", "Make the method overridable");
		Application.of(Static.class).fails("Static.work() is static");
		Application.of(Final.class).fails("Final.work() is final");
		Application.of(FinalOfClass.class).fails("FinalOfClass.work() is final", "its class is @LeaderOnly");
	}

	@Test
	void classesThatNoProxyCanGuard() {
		Application.of(FinalClass.class).fails("FinalClass is final", "Let the class not be final");
		Application.of(Values.class).fails("Values is final");
	}

	@Test
	void aFinalClassWithInterfacesIsGuardedByThem() {
		Application.of(FinalTask.class)
			.with("spring.aop.proxy-target-class=false")
			.follows((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aMethodThatNoInterfaceHasBehindAProxyOfInterfaces() {
		Application.of(FinalTask.class, HiddenTask.class)
			.with("spring.aop.proxy-target-class=false")
			.fails("HiddenTask.hidden() is in no interface", "spring.aop.proxy-target-class=true");
	}

	@Test
	void allProblemsAreReportedTogether() {
		Application.of(Lazily.class).fails("Private.work() is private", "Static.work() is static");
	}

	@Test
	void aSkippedCallThatCouldReturnNothing() {
		Application.of(PrimitiveSkip.class)
			.fails("PrimitiveSkip.count() returns int", "nothing that a skipped call could return",
					"otherwise = NotLeaderPolicy.THROW");
	}

	@Test
	void electionsThatCannotBeTold() {
		Application.of(UnknownPlaceholder.class)
			.fails("@LeaderOnly(\"${no.such.property}\")", "UnknownPlaceholder.work()", "no.such.property",
					"define the property");
		Application.of(EmptyPlaceholder.class).fails("'${no.such.property:}' resolves to nothing");
		Application.of(UnknownArgument.class)
			.fails("'#{#tenant}' asks for #tenant, but the arguments are [a0, name, p0]");
		Application.of(NoExpression.class).fails("'#{#}' is no expression");
		Application.of(TooLong.class).fails("must have at most 200 characters");
	}

	@Test
	void noNameAmongSeveralElections() {
		Application.of(Fine.class)
			.with("leader-election.elections.reports=", "leader-election.elections.mails=")
			.fails("Fine.work(): @LeaderOnly names no election, but there are several: [mails, reports]",
					"@LeaderOnly(\"mails\")");
	}

	@Test
	void noLeaderElection() {
		Application.of(Fine.class)
			.with("leader-election.enabled=false")
			.fails("Fine.work(): There is no leader election", "leader-election.leader-only.enabled=false");
	}

	@Test
	void withoutTheAnnotationNoLeaderElectionIsNeeded() {
		Application.of(Unannotated.class)
			.with("leader-election.enabled=false")
			.runner()
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void resultsThatCannotBeFollowed() {
		Application.of(OwnFuture.class).fails("OwnFuture.work() returns a", "Declare CompletableFuture");
	}

	@Test
	void configurationsAndPostProcessors() {
		Application.of(AnnotatedConfiguration.class).fails("AnnotatedConfiguration is a @Configuration");
		Application.of(Processor.class).fails("Processor is a post-processor");
	}

	@Test
	void aBeanThatIsMadeBeforeItCanBeGuarded() {
		Application.of(TooEarly.class)
			.fails("The bean 'fine' of io.leaderelection.annotation.MisuseTests$Fine",
					"was made before it could be guarded");
	}

	@Test
	void scheduledMethodsWithParametersThatNobodySupplies() {
		Application.of(Scheduling.class, ScheduledText.class)
			.fails("ScheduledText.work() is @Scheduled, but has parameters that cannot be supplied");
		Application.of(Scheduling.class, ScheduledMono.class)
			.fails("ScheduledMono.work() is @Scheduled and returns a reactive type");
		Application.of(Scheduling.class, ScheduledToken.class)
			.with("leader-election.leader-only.scheduled-arguments=false")
			.fails("ScheduledToken.work() is @Scheduled, but has parameters, and nobody supplies them",
					"Set leader-election.leader-only.scheduled-arguments=true");
	}

	@Test
	void whatDoesNotGuardSaysSo(CapturedOutput output) {
		Application.of(Fine.class)
			.with("leader-election.leader-only.enabled=false")
			.runner()
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("methods with @LeaderOnly run on every node");
	}

	static class Fine {

		@LeaderOnly
		void work() {
		}

	}

	static class Unannotated {

	}

	static class Private {

		@LeaderOnly
		private void work() {
		}

	}

	static class Static {

		@LeaderOnly
		static void work() {
		}

	}

	static class Final {

		@LeaderOnly
		final void work() {
		}

	}

	@LeaderOnly
	static class FinalOfClass {

		final void work() {
		}

	}

	static final class FinalClass {

		@LeaderOnly
		void work() {
		}

	}

	record Values(@Nullable String value) {

		Values() {
			this(null);
		}

		@LeaderOnly
		void work() {
		}

	}

	interface Task {

		void run();

	}

	static final class FinalTask implements Task {

		@Override
		@LeaderOnly
		public void run() {
		}

	}

	static class HiddenTask implements Task {

		@Override
		public void run() {
		}

		@LeaderOnly
		public void hidden() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazily {

		@Bean
		@Lazy
		Private first() {
			return new Private();
		}

		@Bean
		@Lazy
		Static second() {
			return new Static();
		}

	}

	static class PrimitiveSkip {

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		int count() {
			return 1;
		}

	}

	static class UnknownPlaceholder {

		@LeaderOnly("${no.such.property}")
		void work() {
		}

	}

	static class EmptyPlaceholder {

		@LeaderOnly("${no.such.property:}")
		void work() {
		}

	}

	static class UnknownArgument {

		@LeaderOnly("#{#tenant}")
		void work(String name) {
		}

	}

	static class NoExpression {

		@LeaderOnly("#{#}")
		void work(String name) {
		}

	}

	static class TooLong {

		@LeaderOnly("#{'x'.repeat(201)}")
		void work() {
		}

	}

	static class OwnFuture {

		@LeaderOnly
		Promise work() {
			return new Promise();
		}

	}

	static class Promise extends CompletableFuture<String> {

	}

	@Configuration(proxyBeanMethods = false)
	@LeaderOnly
	static class AnnotatedConfiguration {

		void work() {
		}

	}

	static class Processor implements BeanPostProcessor {

		@LeaderOnly
		void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TooEarly {

		@Bean
		static Fine fine() {
			return new Fine();
		}

		@Bean
		static Hasty needsItEarly(Fine fine) {
			return new Hasty();
		}

	}

	static class Hasty implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class ScheduledText {

		@Scheduled(fixedDelay = 1000)
		@LeaderOnly
		void work(FencingToken token, String text) {
		}

	}

	static class ScheduledMono {

		@Scheduled(fixedDelay = 1000)
		@LeaderOnly
		Mono<String> work(FencingToken token) {
			return Mono.empty();
		}

	}

	static class ScheduledToken {

		@Scheduled(fixedDelay = 1000)
		@LeaderOnly
		void work(FencingToken token) {
		}

	}

}
