package io.leaderelection.annotation;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * There are uses of {@link LeaderOnly} that cannot work.
 */
class LeaderOnlyMisuseException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient List<Problem> problems;

	LeaderOnlyMisuseException(Collection<Problem> problems) {
		super("@LeaderOnly cannot work here:%n%s"
			.formatted(list(problems.stream().map((problem) -> problem.what() + ".").collect(Collectors.toList()))));
		this.problems = List.copyOf(problems);
	}

	List<Problem> problems() {
		return this.problems;
	}

	String getAction() {
		return list(this.problems.stream().map(Problem::remedy).distinct().toList());
	}

	private static String list(List<String> lines) {
		return lines.stream()
			.map((line) -> "%n\t- %s".formatted(line))
			.collect(Collectors.joining("", "", System.lineSeparator()));
	}

}
