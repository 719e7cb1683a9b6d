package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.List;

import io.leaderelection.NotLeaderException;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which guard a call meets: that of its method in the class of its target.
 */
class GuardsTests {

	private final Guards guards = new Guards(new DefaultListableBeanFactory());

	@Test
	void proxiesOfOneInterfaceGuardEachItsOwnClass() {
		Application.of(Guarded.class, Free.class).with("spring.aop.proxy-target-class=false").follows((context) -> {
			Task guarded = (Task) context.getBean("guardsTests.Guarded");
			Task free = (Task) context.getBean("guardsTests.Free");
			assertThat(guarded.getClass()).as("they share a proxy class").isSameAs(free.getClass());
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(NotLeaderException.class).isThrownBy(guarded::run);
				assertThat(free.run()).isEqualTo("free");
				assertThatExceptionOfType(NotLeaderException.class).isThrownBy(free::other);
				assertThat(guarded.other()).isEqualTo("other");
			}
		});
	}

	@Test
	void aMethodIsKnownByWhateverObjectStandsForIt() {
		for (int i = 0; i < 2000; i++) {
			assertThat(this.guards.of(call("run", new Guarded()))).isNotNull();
			assertThat(this.guards.of(call("other", new Guarded()))).isNull();
			assertThat(this.guards.of(call("run", new Free()))).isNull();
			assertThat(this.guards.of(call("other", new Free()))).isNotNull();
		}
	}

	@Test
	void aBridgeHasTheGuardOfItsMethod() {
		Method bridge = method(Bridged.class, Object.class);
		Method own = method(Bridged.class, String.class);
		assertThat(bridge.isBridge()).isTrue();
		assertThat(this.guards.of(call(own, new Bridged()))).isNotNull();
		assertThat(this.guards.of(call(bridge, new Bridged()))).isSameAs(this.guards.of(call(own, new Bridged())));
		assertThat(this.guards.of(call(method(Typed.class, Object.class), new Bridged())))
			.isSameAs(this.guards.of(call(own, new Bridged())));
	}

	private static Method method(Class<?> type, Class<?> parameter) {
		return ReflectionUtils.findMethod(type, "apply", parameter);
	}

	/** With a copy of the method that nobody has seen. */
	private static MethodInvocation call(String method, Object target) {
		try {
			return call(Task.class.getMethod(method), target);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private static MethodInvocation call(Method method, Object target) {
		return new Call(method, target);
	}

	/**
	 * A call that is not made.
	 */
	private static final class Call extends ReflectiveMethodInvocation {

		Call(Method method, Object target) {
			super(target, target, method, new Object[0], target.getClass(), List.of());
		}

	}

	interface Task {

		String run();

		String other();

	}

	static class Guarded implements Task {

		@Override
		@LeaderOnly
		public String run() {
			return "guarded";
		}

		@Override
		public String other() {
			return "other";
		}

	}

	static class Free implements Task {

		@Override
		public String run() {
			return "free";
		}

		@Override
		@LeaderOnly
		public String other() {
			return "guarded";
		}

	}

	interface Typed<T> {

		T apply(T value);

	}

	static class Bridged implements Typed<String> {

		@Override
		@LeaderOnly
		public String apply(String value) {
			return value;
		}

	}

}
