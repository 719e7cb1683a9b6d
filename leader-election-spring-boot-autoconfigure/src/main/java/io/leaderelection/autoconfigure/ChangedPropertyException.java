package io.leaderelection.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * A property is not what it was when the application was processed ahead of time, and can
 * have no effect any more.
 */
class ChangedPropertyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String property;

	private final String before;

	private final @Nullable String now;

	ChangedPropertyException(String property, String before, @Nullable String now) {
		super("%s is %s, but was %s when the application was processed ahead of time, which cannot be changed any more"
			.formatted(property, (now != null) ? "'" + now + "'" : "not set", "'" + before + "'"));
		this.property = property;
		this.before = before;
		this.now = now;
	}

	String getAction() {
		String again = (this.now != null) ? "with %s=%s".formatted(this.property, this.now)
				: "with the %s that it is to run with".formatted(this.property);
		return "Set %s=%s, or build the application again %s. Or run it without -Dspring.aot.enabled=true."
			.formatted(this.property, this.before, again);
	}

}
