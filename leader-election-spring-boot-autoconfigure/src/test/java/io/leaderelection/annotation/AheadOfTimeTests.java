package io.leaderelection.annotation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.aot.AotProcessingException;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.InputStreamSource;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is guarded is noted when an application is processed ahead of time, and must still
 * be guarded when it runs.
 */
class AheadOfTimeTests {

	private static final String WORK = "void %s.work()".formatted(Worker.class.getName());

	@Test
	void whatIsGuardedCanBeFoundInANativeImage() {
		process((generated) -> {
			RuntimeHints hints = generated.getRuntimeHints();
			for (Class<?> type : new Class<?>[] { Worker.class, AnnotatedParent.class, Tenant.class }) {
				assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints);
			}
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method(Worker.class, "work")))
				.accepts(hints);
			assertThat(
					RuntimeHintsPredicates.reflection().onMethodInvocation(method(AnnotatedParent.class, "inherited")))
				.accepts(hints);
			assertThat(RuntimeHintsPredicates.reflection()
				.onMethodInvocation(method(Container.class, "setAutoStartup", boolean.class))).accepts(hints);
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method(Unguarded.class, "work")))
				.rejects(hints);
		}, Worker.class, Tenant.class, Unguarded.class, Containers.class);
	}

	@Test
	void whatIsGuardedIsNoted() {
		process((generated) -> assertThat(generated.getGeneratedFiles().getGeneratedFiles(Kind.SOURCE).entrySet())
			.filteredOn((file) -> file.getKey().contains("GuardedAheadOfTime"))
			.singleElement()
			.satisfies((file) -> assertThat(text(file.getValue())).contains(WORK, "Parent.inherited()", "\"container\"")
				.doesNotContain("Unguarded")), Worker.class, Unguarded.class, Containers.class);
	}

	private static String text(InputStreamSource source) {
		try {
			return new String(source.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void anElectionThatIsKnownOnlyWhereTheApplicationRunsIsNoObstacle() {
		process((generated) -> assertThat(
				RuntimeHintsPredicates.reflection().onMethodInvocation(method(Tenant.class, "work")))
			.accepts(generated.getRuntimeHints()), Tenant.class);
	}

	@Test
	void aCallPastTheGuardIsRefusedWhileClassFilesAreThere() {
		assertThatExceptionOfType(AotProcessingException.class).isThrownBy(() -> process((generated) -> {
		}, CallsItself.class))
			.havingCause()
			.isInstanceOf(LeaderOnlyMisuseException.class)
			.withMessageContaining("calls its own work() in run()");
	}

	@Test
	void whatIsStillGuardedStarts() {
		Application.of(Worker.class).runner().withInitializer((context) -> note(context, WORK)).run((context) -> {
			assertThat(context).hasNotFailed();
		});
	}

	@Test
	void whatIsNotGuardedAnyMoreDoesNotStart() {
		Application application = Application.of(Unguarded.class);
		new Application(
				application.runner()
					.withInitializer((context) -> note(context, "void %s.work()".formatted(Unguarded.class.getName()))),
				application.leases())
			.fails("Unguarded.work() was @LeaderOnly when the application was processed ahead of time",
					"nothing guards it now", "Build the application again");
	}

	@Test
	void aLifecycleBeanThatWouldStartEverywhereDoesNotStart() {
		Application application = Application.of(Unguarded.class);
		new Application(application.runner()
			.withInitializer((context) -> GuardedAheadOfTime.register(context.getBeanFactory(), new String[0],
					new String[] { "container" })),
				application.leases())
			.fails("The lifecycle bean 'container' was @LeaderOnly", "nothing keeps it from starting now");
	}

	private static void note(ConfigurableApplicationContext context, String... methods) {
		GuardedAheadOfTime.register(context.getBeanFactory(), methods, new String[0]);
	}

	private static Method method(Class<?> type, String name, Class<?>... parameters) {
		return Objects.requireNonNull(ReflectionUtils.findMethod(type, name, parameters));
	}

	private static void process(Consumer<TestGenerationContext> test, Class<?>... beans) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBeanDefinition("guarding", new RootBeanDefinition(LeaderOnlyAutoConfiguration.class));
			AnnotationConfigUtils.registerAnnotationConfigProcessors(context);
			for (Class<?> bean : beans) {
				context.registerBeanDefinition(bean.getSimpleName(), new RootBeanDefinition(bean));
			}
			TestGenerationContext generation = new TestGenerationContext();
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			generation.writeGeneratedContent();
			test.accept(generation);
		}
	}

	public static class AnnotatedParent {

		@LeaderOnly("reports")
		public void inherited() {
		}

	}

	public static class Worker extends AnnotatedParent {

		@LeaderOnly("reports")
		void work() {
		}

	}

	public static class Tenant {

		@LeaderOnly("${known.where.it.runs}")
		public void work() {
		}

	}

	public static class Unguarded {

		void work() {
		}

	}

	public static class CallsItself {

		public void run() {
			work();
		}

		@LeaderOnly("reports")
		public void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Containers {

		@Bean
		@LeaderOnly("reports")
		Container container() {
			return new Container();
		}

	}

	public static class Container implements SmartLifecycle {

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

		public void setAutoStartup(boolean autoStartup) {
		}

	}

}
