package io.leaderelection.annotation;

import java.util.List;
import java.util.concurrent.Callable;

import io.leaderelection.annotation.MisuseTests.Fine;
import jakarta.annotation.PostConstruct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an object calls on itself passes no proxy, and is found before the start.
 */
@ExtendWith(OutputCaptureExtension.class)
class CallsPastTheGuardTests {

	@Test
	void callsPastTheGuard() {
		Application.of(SelfCall.class)
			.fails("SelfCall calls its own work() in run(), which passes no proxy",
					"leader-election.leader-only.self-invocation=warn");
		Application.of(IndirectSelfCall.class).fails("calls its own work() in run()");
		Application.of(LambdaSelfCall.class).fails("calls its own work() in run()");
		Application.of(ReferenceSelfCall.class).fails("calls its own work() in run()");
		Application.of(ConditionalSelfCall.class).fails("calls its own work() in run()");
		Application.of(InheritedSelfCall.class).fails("calls its own work() in template()");
		Application.of(ConstructorSelfCall.class).fails("calls its own work() in its constructor");
		Application.of(PrivateInit.class).fails("calls its own work() in init()");
		Application.of(OtherElection.class).fails("calls its own work() in run() under another election");
	}

	@Test
	void callsThatAreGuardedAllTheSame() {
		for (Class<?> harmless : List.of(GuardedSelfCall.class, WholeClass.class, CallOnAnother.class)) {
			Application.of(harmless).runner().run((context) -> assertThat(context).as("%s", harmless).hasNotFailed());
		}
	}

	@Test
	void callsPastTheGuardCanBeLoggedOrIgnored(CapturedOutput output) {
		Application.of(SelfCall.class)
			.with("leader-election.leader-only.self-invocation=ignore")
			.runner()
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("passes no proxy");
		Application.of(SelfCall.class)
			.with("leader-election.leader-only.self-invocation=warn")
			.runner()
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("SelfCall calls its own work() in run(), which passes no proxy");
	}

	static class SelfCall extends Fine {

		void run() {
			String text = "a" + hashCode();
			if (text.isEmpty()) {
				return;
			}
			work();
		}

	}

	static class IndirectSelfCall extends Fine {

		void run() {
			helper(1L, 2.0);
		}

		private void helper(long number, double other) {
			long sum = number + (long) other;
			if (sum > 0) {
				this.work();
			}
		}

	}

	static class LambdaSelfCall extends Fine {

		void run() {
			Runnable later = () -> work();
			later.run();
		}

	}

	static class ReferenceSelfCall extends Fine {

		void run() {
			Runnable later = this::work;
			later.run();
		}

	}

	static class ConditionalSelfCall {

		@LeaderOnly
		String work(String name, long number) {
			return name + number;
		}

		String run(boolean first) {
			try {
				return work(first ? "a" : "b", first ? 1L : System.nanoTime());
			}
			catch (IllegalStateException ex) {
				return "none";
			}
		}

	}

	static class Template {

		void template() {
			work();
		}

		void work() {
		}

	}

	static class InheritedSelfCall extends Template {

		@Override
		@LeaderOnly
		void work() {
		}

	}

	static class ConstructorSelfCall extends Fine {

		@SuppressWarnings("this-escape")
		ConstructorSelfCall() {
			work();
		}

	}

	static class PrivateInit extends Fine {

		@PostConstruct
		private void init() {
			work();
		}

	}

	static class OtherElection {

		@LeaderOnly("reports")
		void work() {
		}

		@LeaderOnly("mails")
		void run() {
			work();
		}

	}

	static class GuardedSelfCall extends Fine {

		@LeaderOnly
		void run() {
			helper();
		}

		private void helper() {
			work();
		}

	}

	@LeaderOnly
	static class WholeClass extends Fine {

		void run() {
			work();
		}

	}

	static class CallOnAnother extends Fine {

		private final ObjectProvider<CallOnAnother> self;

		CallOnAnother(ObjectProvider<CallOnAnother> self) {
			this.self = self;
		}

		void run() throws Exception {
			this.self.getObject().work();
			Callable<Integer> hash = this::hashCode;
			Fine other = new Fine();
			other.work();
			hash.call();
		}

	}

}
