package io.leaderelection.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.leaderelection.store.LeaseStoreException;

/**
 * What a script has answered about one election: a word, then what belongs to it.
 *
 * @param values byte strings, or {@code null} for what there is not
 */
record Reply(List<?> values) {

	String state() {
		return text(0).orElseThrow(this::notUnderstood);
	}

	Optional<String> text(int index) {
		Object value = (index < this.values.size()) ? this.values.get(index) : null;
		if (value == null) {
			return Optional.empty();
		}
		if (value instanceof byte[] bytes) {
			return Optional.of(new String(bytes, StandardCharsets.UTF_8));
		}
		throw notUnderstood();
	}

	long number(int index) {
		try {
			return Long.parseLong(text(index).orElseThrow(this::notUnderstood));
		}
		catch (NumberFormatException ex) {
			throw notUnderstood();
		}
	}

	Duration duration(int index) {
		return Duration.of(number(index), ChronoUnit.MICROS);
	}

	List<String> textsFrom(int index) {
		List<String> texts = new ArrayList<>();
		for (int i = index; i < this.values.size(); i++) {
			texts.add(text(i).orElseThrow(this::notUnderstood));
		}
		return texts;
	}

	LeaseStoreException notUnderstood() {
		return new LeaseStoreException("Redis gave an answer that is not understood: " + readable(this.values));
	}

	private static Object readable(Object value) {
		if (value instanceof List<?> list) {
			return list.stream().map((part) -> (part != null) ? readable(part) : "nothing").toList();
		}
		return (value instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : value;
	}

}
