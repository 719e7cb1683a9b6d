package io.leaderelection.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import io.leaderelection.LeaderElections;
import io.leaderelection.NotLeaderException;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Where the annotation may stand, and behind which proxies it guards.
 */
@Timeout(60)
class PlacesOfTheAnnotationTests {

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

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
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
	@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
	@interface Once {

		@AliasFor(annotation = LeaderOnly.class, attribute = "value")
		String election() default "";

		@AliasFor(annotation = LeaderOnly.class)
		NotLeaderPolicy otherwise() default NotLeaderPolicy.SKIP;

	}

	static class Composed {

		@Once
		@Nullable String work() {
			return "done";
		}

		@Once(election = "mails", otherwise = NotLeaderPolicy.THROW)
		String other() {
			return "done";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Child.class, TaskOfMany.class, Composed.class })
	static class Heirs {

	}

}
