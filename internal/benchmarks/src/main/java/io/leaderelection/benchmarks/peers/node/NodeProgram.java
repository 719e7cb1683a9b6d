package io.leaderelection.benchmarks.peers.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An ordinary Spring Boot application with the elections of one contestant. It answers
 * questions on standard input, and ends with whoever started it.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(NodeSettings.class)
public class NodeProgram {

	/**
	 * Runs a node.
	 * @param args the simple name of the contestant's configuration in this package, and
	 * properties as {@code --name=value}
	 * @throws Exception if there is no such configuration, or the driver cannot be heard
	 */
	public static void main(String[] args) throws Exception {
		ConfigurableApplicationContext context = start(args);
		answer(context.getBeanProvider(Candidacy.class), context.getBean(NodeSettings.class));
		// the driver is gone, and the store with it, for which some would wait when
		// closed
		Runtime.getRuntime().halt(1);
	}

	/**
	 * Starts a node in this process.
	 * @param args as for {@link #main}
	 * @return its context
	 * @throws ClassNotFoundException if there is no such configuration
	 */
	public static ConfigurableApplicationContext start(String... args) throws ClassNotFoundException {
		Class<?> contestant = Class.forName(NodeProgram.class.getPackageName() + "." + args[0]);
		return new SpringApplicationBuilder(NodeProgram.class, contestant).bannerMode(Banner.Mode.OFF).run(args);
	}

	@Bean
	ApplicationListener<ApplicationReadyEvent> report(NodeSettings settings, ObjectProvider<Candidacy> candidacy) {
		return (event) -> {
			Diary.say("READY", event.getTimeTaken().toNanos() / 1000);
			if (settings.sampled()) {
				candidacy.ifAvailable(Sampler::start);
			}
		};
	}

	private static void answer(ObjectProvider<Candidacy> candidacy, NodeSettings settings) throws IOException {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String question = input.readLine(); question != null; question = input.readLine()) {
			Diary.say(question, switch (question) {
				case "LED" -> IntStream.range(0, settings.elections()).filter(candidacy.getObject()::leads).count();
				case "THREADS" -> ManagementFactory.getThreadMXBean().getThreadCount();
				case "HEAP" -> heapInUse();
				case "TOKEN" -> candidacy.getObject().token().orElse(-1);
				default -> throw new IllegalArgumentException("What is '%s'?".formatted(question));
			});
		}
	}

	private static long heapInUse() {
		// what one collection makes unreachable, the next one frees
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
