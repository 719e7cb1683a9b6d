package io.leaderelection.nodes;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * An ordinary application with one election, run as a process of its own. It says on its
 * standard output since when it leads, when it was told so, and that of losses, and
 * samples {@code isLeader()}.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(LeaderWrites.class)
public class NodeApplication {

	public static final String ELECTION = "default";

	public static void main(String[] args) {
		new SpringApplicationBuilder(NodeApplication.class).bannerMode(Banner.Mode.OFF).run(args);
		say("READY", 0);
	}

	@Bean
	public SmartInitializingSingleton reporter(LeaderElections elections) {
		return () -> {
			elections.elector(ELECTION).addListener(new LeadershipListener() {

				@Override
				public void gained(Gained event) {
					Instant now = Instant.now();
					// it is in whole milliseconds, and was later than neither
					Instant roundedUp = event.at().plusMillis(1);
					say("LEADS", event.token().value(), roundedUp.isBefore(now) ? roundedUp : now);
					say("GAINED", event.token().value());
				}

				@Override
				public void lost(Lost event) {
					say("LOST", event.token().value());
				}

			});
			Thread sampler = new Thread(() -> sample(elections), "sampler");
			sampler.setDaemon(true);
			sampler.start();
		};
	}

	/** A stopped process that wakes answers here first, before any callback has run. */
	private void sample(LeaderElections elections) {
		long last = System.nanoTime();
		while (!Thread.currentThread().isInterrupted()) {
			long now = System.nanoTime();
			boolean leader = elections.elector(ELECTION).isLeader();
			if (now - last > 1_000_000_000L) {
				say(leader ? "WOKE_LEADING" : "WOKE_FOLLOWING", 0);
			}
			last = now;
			LockSupport.parkNanos(20_000_000);
		}
	}

	public static void say(String what, long token) {
		say(what, token, Instant.now());
	}

	private static void say(String what, long token, Instant when) {
		System.out.println("@ %s %d %d".formatted(what, token, ChronoUnit.MICROS.between(Instant.EPOCH, when)));
	}

}
