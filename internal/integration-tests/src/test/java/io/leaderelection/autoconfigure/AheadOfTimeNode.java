package io.leaderelection.autoconfigure;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.NotLeaderException;
import io.leaderelection.annotation.GuardedCallListener;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.annotation.NotLeaderPolicy;
import io.leaderelection.jdbc.JdbcFenceAutoConfiguration;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.redis.RedisLeaderElectionAutoConfiguration;
import io.leaderelection.zookeeper.ZooKeeperLeaderElectionAutoConfiguration;
import org.awaitility.Awaitility;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;

/**
 * An application with one of each kind of thing that runs on the leader alone, to be
 * processed ahead of time. {@link #run} starts two nodes of it and tells what they do.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
		DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
		TransactionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class,
		JdbcLeaderElectionAutoConfiguration.class, RedisLeaderElectionAutoConfiguration.class,
		ZooKeeperLeaderElectionAutoConfiguration.class, LeaderElectionAutoConfiguration.class,
		JdbcFenceAutoConfiguration.class, FencingAutoConfiguration.class, LeaderOnlyAutoConfiguration.class })
public class AheadOfTimeNode {

	public static void main(String[] arguments) {
		start(arguments);
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(AheadOfTimeNode.class).main(AheadOfTimeNode.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run(arguments);
	}

	public static Map<String, String> run(String... arguments) {
		Map<String, String> story = new LinkedHashMap<>();
		story.put("generated code is used", String.valueOf(AotDetector.useGeneratedArtifacts()));
		ConfigurableApplicationContext first = start(arguments);
		try {
			Diary leading = first.getBean(Diary.class);
			await(() -> leading.reports().isLeader() && leading.runs().get() > 2);
			try (ConfigurableApplicationContext second = start(arguments)) {
				Diary following = second.getBean(Diary.class);
				await(() -> following.skips().get() > 2 && following.reports().getCurrentLeader().isPresent());
				story.put("leader", describe(first));
				story.put("follower", describe(second));
				first.close();
				await(() -> following.reports().isLeader() && following.runs().get() > 2);
				story.put("successor", describe(second));
			}
		}
		finally {
			first.close();
		}
		return story;
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().until(condition);
	}

	private static String describe(ConfigurableApplicationContext context) {
		Diary diary = context.getBean(Diary.class);
		if (diary.reports().isLeader()) {
			await(() -> context.getBean("poller", Lifecycle.class).isRunning()
					&& context.getBean("container", Lifecycle.class).isRunning());
		}
		TreeSet<String> running = new TreeSet<>();
		if (diary.runs().get() > 0) {
			running.add("scheduled");
		}
		for (String bean : List.of("poller", "container")) {
			if (context.getBean(bean, Lifecycle.class).isRunning()) {
				running.add(bean);
			}
		}
		if ("sent".equals(context.getBean(Mailer.class).send())) {
			running.add("interface");
		}
		try {
			running.add("transaction of " + context.getBean(Books.class).close(null));
		}
		catch (NotLeaderException ex) {
			running.add("no transaction");
		}
		return String.join(", ", running);
	}

	@Bean
	Diary diary(@Qualifier("reports") LeaderElector reports) {
		return new Diary(reports, new AtomicInteger(), new AtomicInteger());
	}

	@Bean
	Jobs jobs(Diary diary) {
		return new Jobs(diary);
	}

	@Bean
	Mailer mailer() {
		return new GuardedMailer();
	}

	@Bean
	Books books() {
		return new Books();
	}

	@Bean
	@LeaderOnly("reports")
	Poller poller() {
		return new Poller();
	}

	@Bean
	@LeaderOnly("reports")
	Container container() {
		return new Container();
	}

	@Bean
	GuardedCallListener skips(Diary diary) {
		return new GuardedCallListener() {

			@Override
			public void skipped(String election, Method method) {
				diary.skips().incrementAndGet();
			}

		};
	}

	/** Of one node. */
	record Diary(LeaderElector reports, AtomicInteger runs, AtomicInteger skips) {
	}

	static class Jobs {

		private final Diary diary;

		Jobs(Diary diary) {
			this.diary = diary;
		}

		@Scheduled(fixedDelay = 10)
		@LeaderOnly("reports")
		void report(FencingToken token) {
			if (token.value() > 0 && Leadership.current().isPresent()) {
				this.diary.runs().incrementAndGet();
			}
		}

	}

	interface Mailer {

		String send();

	}

	static class GuardedMailer implements Mailer {

		@Override
		@LeaderOnly(value = "${mails:reports}", otherwise = NotLeaderPolicy.SKIP)
		public String send() {
			return "sent";
		}

	}

	static class Books {

		@Transactional
		@LeaderOnly("reports")
		String close(FencingToken token) {
			return token.election();
		}

	}

	static class Poller implements Lifecycle {

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	static class Container extends Poller implements SmartLifecycle {

		private boolean autoStartup = true;

		@Override
		public boolean isAutoStartup() {
			return this.autoStartup;
		}

		public void setAutoStartup(boolean autoStartup) {
			this.autoStartup = autoStartup;
		}

	}

}
