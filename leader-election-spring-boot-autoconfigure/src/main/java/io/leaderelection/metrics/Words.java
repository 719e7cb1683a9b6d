package io.leaderelection.metrics;

import java.util.Locale;

/**
 * How constants are written in tags.
 */
final class Words {

	private Words() {
	}

	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
