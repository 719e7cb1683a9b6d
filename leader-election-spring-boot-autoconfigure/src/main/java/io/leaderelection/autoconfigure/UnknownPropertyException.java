package io.leaderelection.autoconfigure;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * A property was set that does not exist. Its value is not told: it may be a password
 * under a misspelt name.
 */
class UnknownPropertyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String group;

	private final List<String> known;

	UnknownPropertyException(String property, @Nullable Origin origin, String group, Collection<String> known) {
		super("%s is set%s, but there is no such property".formatted(property,
				(origin != null) ? " (%s)".formatted(origin) : ""));
		this.group = group;
		this.known = List.copyOf(known);
	}

	String getAction() {
		return "Correct its name, or remove it. Below %s there are: %s.".formatted(this.group,
				String.join(", ", this.known));
	}

}
