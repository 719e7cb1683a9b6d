package io.leaderelection.jdbc.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The parameters of a statement about some elections. Internal.
 */
public final class StatementParameters {

	private final List<Object> values = new ArrayList<>();

	public StatementParameters add(Object value) {
		this.values.add(value);
		return this;
	}

	/**
	 * Adds the parameters of each item, and those of the last one again until there are
	 * as many as the statement is written for.
	 * @return for how many items that is
	 */
	public <T> int addPadded(List<T> items, Function<T, List<Object>> parameters) {
		int padded = padded(items.size());
		for (int i = 0; i < padded; i++) {
			this.values.addAll(parameters.apply(items.get(Math.min(i, items.size() - 1))));
		}
		return padded;
	}

	/**
	 * How many elections a statement is written for that is asked for fewer. Powers of
	 * two keep the number of different texts, and with it every statement cache, small.
	 */
	static int padded(int elections) {
		return (elections <= 1) ? 1 : Integer.highestOneBit(elections - 1) << 1;
	}

	public List<Object> list() {
		return this.values;
	}

}
