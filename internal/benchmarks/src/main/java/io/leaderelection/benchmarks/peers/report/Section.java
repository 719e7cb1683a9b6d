package io.leaderelection.benchmarks.peers.report;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One question of the page.
 *
 * @param title of it
 * @param experiments whose figures it shows
 * @param text what was done
 * @param tables the columns of each table, named {@code experiment/measure}
 * @param pictures below the tables
 */
record Section(String title, List<String> experiments, String text, List<List<Measure>> tables,
		List<Picture> pictures) {

	static List<Section> all() {
		return List.of(failover(), twoLeaders(), idle(), many(),
				new Section("`isLeader()`", List.of("asking"), Texts.ASKING,
						List.of(List.of(Measure.millis("asking/ask", "`isLeader()`, ns"))), List.of()),
				new Section("Guarded calls", List.of("guarding"), Texts.GUARDING,
						List.of(List.of(Measure.millis("guarding/guarded", "guarded call, ns"),
								Measure.millis("guarding/empty-proxy", "of that, an empty proxy, ns").toldOnly())),
						List.of()));
	}

	private static Section failover() {
		return new Section("Failover", List.of("clean-stop", "clean-stop-web", "crash"), Texts.FAILOVER,
				List.of(List.of(Measure.millis("clean-stop/next", "clean stop, ms"),
						Measure.millis("clean-stop-web/next", "clean stop, web application, ms"),
						Measure.millis("crash/next", "kill -9, s").in(Measure::seconds))),
				List.of(Picture.bars("clean-stop", "clean-stop/next",
						"SIGTERM until the callback of the next leader, ms: median, minimum to maximum"),
						Picture.bars("crash", "crash/next",
								"kill -9 until the callback of the next leader, s: median, minimum to maximum")));
	}

	private static Section twoLeaders() {
		return new Section("Two leaders", List.of("pause", "cut-off", "data-loss"), Texts.TWO_LEADERS, List
			.of(List.of(Measure.millis("pause/overlap", "woken after a pause, ms"),
					Measure.millis("cut-off/overlap", "cut off, s").in(Measure::seconds),
					Measure.millis("cut-off/silence", "cut off: longest wait for a response, s")
						.in(Measure::seconds)
						.toldOnly(),
					Measure.millis("data-loss/overlap", "store lost its data, ms"),
					Measure.single("data-loss/token-rose", "token increases after that", Section::yesOrNo).toldOnly())),
				List.of(Picture.bars("pause", "pause/overlap", "Woken after a pause: time with two leaders, ms"),
						Picture.bars("cut-off", "cut-off/overlap", "Leader cut off: time with two leaders, s")));
	}

	private static Section idle() {
		return new Section("Idle load of the store", List.of("idle"), Texts.IDLE,
				List.of(sizes(3, "idle/requests-", "requests per second, elections: %,d", Measure::number).toList(),
						Stream
							.concat(sizes(3, "idle/commands-", "including commands in scripts: %,d", Measure::number),
									sizes(3, "idle/led-", "led of %,d", Measure::whole))
							.map(Measure::toldOnly)
							.toList()),
				List.of(Picture.growth("idle", "idle/requests", "Requests per second of three idle nodes")));
	}

	private static Section many() {
		return new Section("One node, many elections", List.of("many"), Texts.MANY,
				List.of(sizes(4, "many/led-", "led of %,d", Measure::whole).map(Measure::toldOnly).toList(),
						sizes(4, "many/threads-", "threads, elections: %,d", Measure::whole).toList(),
						sizes(4, "many/heap-", "heap in MiB, elections: %,d", Measure::mebibytes).toList()),
				List.of(Picture.growth("threads", "many/threads", "Threads of one node")));
	}

	private static Stream<Measure> sizes(int powers, String name, String heading, DoubleFunction<String> format) {
		return IntStream.of(1, 100, 1000, 10_000)
			.limit(powers)
			.mapToObj((size) -> Measure.single(name + size, String.format(Locale.ROOT, heading, size), format));
	}

	private static String yesOrNo(double value) {
		return (value > 0) ? "yes" : "**no**";
	}

	Measure measure(String name) {
		return this.tables.stream()
			.flatMap(List::stream)
			.filter((measure) -> measure.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * A picture.
	 *
	 * @param file its name
	 * @param measure what it shows; without the number of elections if that grows
	 * @param title of it
	 * @param growth whether it shows growth with the number of elections
	 */
	record Picture(String file, String measure, String title, boolean growth) {

		static Picture bars(String file, String measure, String title) {
			return new Picture(file, measure, title, false);
		}

		static Picture growth(String file, String measure, String title) {
			return new Picture(file, measure, title, true);
		}

	}

}
