package io.leaderelection.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The parameters of a statement about some elections.
 */
final class StatementParameters {

	private final List<Object> values = new ArrayList<>();

	StatementParameters add(Object value) {
		this.values.add(value);
		return this;
	}

	/**
	 * Adds the parameters of each item, and those of the last one again until there are
	 * as many as the statement is written for.
	 * @return for how many items that is
	 */
	<T> int addPadded(List<T> items, Function<T, List<Object>> parameters) {
		int padded = LeaseStatements.padded(items.size());
		for (int i = 0; i < padded; i++) {
			this.values.addAll(parameters.apply(items.get(Math.min(i, items.size() - 1))));
		}
		return padded;
	}

	List<Object> list() {
		return this.values;
	}

}
