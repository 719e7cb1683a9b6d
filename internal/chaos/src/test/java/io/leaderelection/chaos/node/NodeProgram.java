package io.leaderelection.chaos.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.chaos.node.Diary.Entry;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * An ordinary application with one election. It keeps a log of samples and a diary in the
 * directory {@code chaos.directory}, writes to a register while it leads, and takes
 * orders from its standard input. Without anybody to give them it ends.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Registers.class)
public class NodeProgram {

	/** What stands on a line of the standard input to have a write begun. */
	public static final String PAUSE = "pause";

	/** What stands on a line of the standard input to have it sent. */
	public static final String GO_ON = "go on";

	/** The name of the diary in the directory. */
	public static final String DIARY = "diary";

	/** The name of the log of samples in the directory. */
	public static final String SAMPLES = "samples";

	private static final String ELECTION = "default";

	public static void main(String[] args) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(NodeProgram.class)
			.bannerMode(Banner.Mode.OFF)
			.run(args);
		Diary diary = context.getBean(Diary.class);
		diary.note(Entry.READY);
		Threads.daemon("resources", () -> noteResources(diary));
		Threads.daemon("orders", () -> takeOrders(context.getBean(Writer.class)));
	}

	@Bean
	Diary diary(Environment environment) throws IOException {
		return Diary.create(directory(environment).resolve(DIARY));
	}

	private static Path directory(Environment environment) {
		return Path.of(environment.getRequiredProperty("chaos.directory"));
	}

	@Bean
	Writer writer(LeaderElections elections, Register register, Diary diary, Environment environment) {
		return new Writer(elections.elector(ELECTION), register, diary,
				environment.getRequiredProperty("chaos.write-interval-millis", Long.class));
	}

	/** Before elections begin, so that there is a no before every yes. */
	@Bean
	SmartInitializingSingleton recording(LeaderElections elections, Diary diary, Writer writer,
			Environment environment) {
		LeaderElector elector = elections.elector(ELECTION);
		SampleLog log = SampleLog.create(directory(environment).resolve(SAMPLES));
		return () -> {
			if (environment.getProperty("chaos.broken", Boolean.class, false)) {
				Flag flag = new Flag();
				elector.addListener(flag);
				new Sampler(log, () -> flag.token() != 0, flag::token).start();
			}
			else {
				new Sampler(log, elector::isLeader, () -> elector.fencingToken().map(FencingToken::value).orElse(0L))
					.start();
			}
			elector.addListener(new Chronicler(diary));
			writer.start();
		};
	}

	private static void noteResources(Diary diary) {
		while (true) {
			try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
				diary.note(Entry.RESOURCES, ManagementFactory.getThreadMXBean().getThreadCount(),
						descriptors.filter((descriptor) -> !isFile(descriptor)).count());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			Threads.rest(1000);
		}
	}

	/** The class path is opened little by little. */
	private static boolean isFile(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor).isAbsolute();
		}
		catch (IOException ex) {
			// closed meanwhile
			return true;
		}
	}

	private static void takeOrders(Writer writer) {
		try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String order = orders.readLine(); order != null; order = orders.readLine()) {
				switch (order) {
					case PAUSE -> writer.pauseInAWrite();
					case GO_ON -> writer.goOn();
					default -> throw new IllegalArgumentException(order);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().halt(1);
	}

	/**
	 * Notes what listeners are told.
	 */
	private record Chronicler(Diary diary) implements LeadershipListener {

		@Override
		public void gained(Gained event) {
			this.diary.note(Entry.GAINED, event.token().value());
		}

		@Override
		public void lost(Lost event) {
			this.diary.note(Entry.LOST, event.token().value(), event.reason());
		}

	}

}
