package io.leaderelection.jdbc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * What goes into one statement: the same owner, not too many, and always in the same
 * order, so that two transactions do not wait for each other.
 *
 * @param <T> what is asked for: a candidacy, a renewal, a lease
 * @param owner whose they are
 * @param items in the order of their elections
 */
record OwnersItems<T>(Owner owner, List<T> items) {

	static <T> List<OwnersItems<T>> of(List<T> all, Function<T, Owner> owner, Function<T, String> election,
			@Nullable JdbcDialect dialect) {
		Map<Owner, List<T>> byOwner = new LinkedHashMap<>();
		for (T item : all) {
			requireTellable(election.apply(item), dialect);
			byOwner.computeIfAbsent(owner.apply(item), (key) -> new ArrayList<>()).add(item);
		}
		List<OwnersItems<T>> parts = new ArrayList<>();
		byOwner.forEach((key, items) -> {
			items.sort(Comparator.comparing(election));
			for (int i = 0; i < items.size(); i += LeaseStatements.MOST_ELECTIONS) {
				int end = Math.min(i + LeaseStatements.MOST_ELECTIONS, items.size());
				parts.add(new OwnersItems<>(key, items.subList(i, end)));
			}
		});
		return parts;
	}

	private static void requireTellable(String election, @Nullable JdbcDialect dialect) {
		if (dialect != null && !dialect.tellsNamesApart(election)) {
			throw new LeaseStoreException("%s cannot tell the election '%s' from one without the spaces at the end"
				.formatted(dialect, election));
		}
	}

}
