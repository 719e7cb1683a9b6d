package io.leaderelection.etcd;

import io.etcd.jetcd.ByteSequence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KeysTests {

	private final Keys keys = new Keys("/prefix");

	@Test
	void aRecordIsOfItsElection() {
		assertThat(this.keys.electionOf(this.keys.record("nightly report/ü%"))).contains("nightly report/ü%");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/prefix/elections/%zz", "/prefix/elections/%", "/prefix/elections/a/b",
			"/prefix/elections/%41", "/prefix/electionsx", "/other/elections/a" })
	void aForeignKeyIsOfNoElection(String key) {
		assertThat(this.keys.electionOf(Keys.bytes(key))).isEmpty();
	}

	@Test
	void aKeyThatIsNoTextIsOfNoElection() {
		ByteSequence key = this.keys.watchedFrom().concat(ByteSequence.from(new byte[] { (byte) 0xff }));
		assertThat(this.keys.electionOf(key)).isEmpty();
	}

}
