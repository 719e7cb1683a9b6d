package io.leaderelection.benchmarks.peers.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.leaderelection.benchmarks.peers.Contestant;
import io.leaderelection.benchmarks.peers.Results.Figure;

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
				new Section("Asking", List.of("asking"), Texts.ASKING,
						List.of(List.of(Measure.millis("asking/ask", "`isLeader()`, ns"))), List.of()),
				new Section("Guarding", List.of("guarding"), Texts.GUARDING,
						List.of(List.of(Measure.millis("guarding/guarded", "guarded call, ns"),
								Measure.millis("guarding/empty-proxy", "of that, an empty proxy, ns").toldOnly())),
						List.of()),
				start(), startWork());
	}

	private static Section failover() {
		return new Section("Failover", List.of("clean-stop", "clean-stop-web", "crash"), Texts.FAILOVER,
				List.of(List.of(Measure.millis("clean-stop/next", "clean stop, ms"),
						Measure.millis("clean-stop-web/next", "clean stop, web application, ms"),
						Measure.millis("crash/next", "kill -9, s").in(Measure::seconds))),
				List.of(Picture.bars("clean-stop", "clean-stop/next",
						"SIGTERM until the next leader is told, ms: median, lowest to highest"),
						Picture.bars("crash", "crash/next",
								"kill -9 until the next leader is told, s: median, lowest to highest")));
	}

	private static Section twoLeaders() {
		return new Section("Two leaders", List.of("pause", "cut-off", "data-loss"), Texts.TWO_LEADERS,
				List.of(List.of(Measure.millis("pause/overlap", "woken after a pause, ms"),
						Measure.millis("cut-off/overlap", "cut off, s").in(Measure::seconds),
						Measure.millis("cut-off/silence", "cut off: longest wait for an answer, s")
							.in(Measure::seconds)
							.toldOnly(),
						Measure.millis("data-loss/overlap", "store lost its data, ms"),
						Measure.single("data-loss/token-rose", "token rises after that", Section::yesOrNo).toldOnly())),
				List.of(Picture.bars("pause", "pause/overlap", "Woken after a pause: two leaders at once for, ms"),
						Picture.bars("cut-off", "cut-off/overlap", "A leader is cut off: two leaders at once for, s")));
	}

	private static Section idle() {
		return new Section("What the store has to do while nothing happens", List.of("idle"), Texts.IDLE,
				List.of(sizes(3, "idle/requests-", "requests per second, elections: %,d", Measure::number).toList(),
						Stream
							.concat(sizes(3, "idle/commands-", "with those inside of scripts: %,d", Measure::number),
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

	private static Section start() {
		return new Section(
				"Start", List.of("start-up"), Texts.START, List.of(
						List.of(Measure.millis("start-up/bare", "without elections, ms").toldOnly(),
								Measure.millis("start-up/elections", "with elections, ms").toldOnly(),
								Measure.millis("start-up/added", "added, ms"), Measure
									.millis("start-up/silent-store", "store does not answer, ms")
									.toldOnly(),
								Measure.millis("start-up/delayed", "delayed by that, ms")),
						List.of(Measure.millis("start-up/archived-bare", "class archive: without elections, ms")
							.toldOnly(), Measure.millis("start-up/archived-elections", "with elections, ms").toldOnly(),
								Measure.millis("start-up/archived-added", "added, ms")),
						List.of(Measure.millis("start-up/using-bare", "database in use: without elections, ms")
							.toldOnly(), Measure.millis("start-up/using-elections", "with elections, ms").toldOnly(),
								Measure.millis("start-up/using-added", "added, ms"),
								Measure.millis("start-up/archived-using-bare", "class archive: without elections, ms")
									.toldOnly(),
								Measure.millis("start-up/archived-using-elections", "with elections, ms").toldOnly(),
								Measure.millis("start-up/archived-using-added", "added, ms"))),
				List.of());
	}

	private static Section startWork() {
		return new Section("Work of a start", List.of("start-up-work"), Texts.START_WORK,
				List.of(List.of(Measure.millis("start-up-work/main-bare", "main thread: without elections").toldOnly(),
						Measure.millis("start-up-work/main-elections", "with elections").toldOnly(),
						Measure.millis("start-up-work/main-added", "added"),
						Measure.millis("start-up-work/all-bare", "all threads: without elections").toldOnly(),
						Measure.millis("start-up-work/all-elections", "with elections").toldOnly(),
						Measure.millis("start-up-work/all-added", "added by all threads"))),
				List.of());
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
	 * Adds the differences that this section shows, of what was measured in one turn.
	 * @param figures what was measured
	 * @return that, and the differences
	 */
	List<Figure> derive(List<Figure> figures) {
		List<Figure> all = new ArrayList<>(figures);
		for (Contestant contestant : Contestant.values()) {
			for (String kind : List.of("", "archived-", "using-", "archived-using-")) {
				String start = "start-up/" + kind;
				addDifference(start + "added", start + "elections", start + "bare", contestant, figures, all);
			}
			for (String start : List.of("start-up-work/main-", "start-up-work/all-")) {
				addDifference(start + "added", start + "elections", start + "bare", contestant, figures, all);
			}
			addDifference("start-up/delayed", "start-up/silent-store", "start-up/elections", contestant, figures, all);
		}
		return all;
	}

	private static void addDifference(String name, String of, String without, Contestant contestant,
			List<Figure> figures, List<Figure> all) {
		List<Figure> more = Measure.millis(of, "").of(figures, contestant);
		List<Figure> less = Measure.millis(without, "").of(figures, contestant);
		for (int round = 0; round < Math.min(more.size(), less.size()); round++) {
			Figure with = more.get(round);
			all.add(new Figure(contestant, name, with.value() - less.get(round).value(), with.beyond(), with.lease(),
					with.load(), with.taken()));
		}
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
