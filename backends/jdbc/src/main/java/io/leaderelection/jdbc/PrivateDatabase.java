package io.leaderelection.jdbc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A database in the memory of one process, which no other node can reach.
 */
final class PrivateDatabase {

	private static final Pattern URL = Pattern.compile(
			"jdbc:(?:h2:(?:nio)?mem(?:fs|lzf)?:|hsqldb:(?:mem:|\\.)|derby:memory:)[^;?]*", Pattern.CASE_INSENSITIVE);

	private PrivateDatabase() {
	}

	/**
	 * Tells such a database by its URL.
	 * @param url the URL, as the driver tells it
	 * @return the URL without what may be secret; empty if others can reach the database,
	 * such as one in the memory of an H2 server
	 */
	static Optional<String> of(@Nullable String url) {
		Matcher matcher = URL.matcher((url != null) ? url : "");
		return matcher.lookingAt() ? Optional.of(matcher.group()) : Optional.empty();
	}

}
