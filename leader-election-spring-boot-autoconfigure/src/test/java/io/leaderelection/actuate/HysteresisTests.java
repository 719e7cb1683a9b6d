package io.leaderelection.actuate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many looks it takes to change one's mind. A plus is a good look, a minus a bad one;
 * H and U are what the node counts as after it.
 */
class HysteresisTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			1, 1, +-+-,       HUHU
			2, 3, +,          H
			2, 3, -+,         UH
			2, 3, ---+,       UUUH
			2, 3, +--,        HHU
			2, 3, +-+-+-,     HHHHHH
			2, 3, +--+++,     HHUUUH
			2, 3, +--++-+++,  HHUUUUUUH
			2, 3, +--+-+-+-,  HHUUUUUUU
			2, 3, +--+++-+--, HHUUUHHHHU
			3, 1, +---+---,   HHHUHHHU
			""")
	void itTakesSomeInARow(int failureThreshold, int successThreshold, String looks, String verdicts) {
		Hysteresis hysteresis = new Hysteresis(failureThreshold, successThreshold);
		StringBuilder counted = new StringBuilder();
		for (char look : looks.toCharArray()) {
			boolean before = hysteresis.isHealthy();
			boolean changed = hysteresis.looked(look == '+');
			assertThat(changed).isEqualTo(before != hysteresis.isHealthy());
			counted.append(hysteresis.isHealthy() ? 'H' : 'U');
		}
		assertThat(counted).hasToString(verdicts);
	}

}
