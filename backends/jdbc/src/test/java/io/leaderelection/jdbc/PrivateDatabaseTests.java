package io.leaderelection.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PrivateDatabaseTests {

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:", "jdbc:h2:mem:test", "JDBC:H2:MEM:test", "jdbc:h2:memFS:test",
			"jdbc:h2:nioMemLZF:test", "jdbc:hsqldb:mem:test", "jdbc:hsqldb:.", "jdbc:derby:memory:test" })
	void aDatabaseInMemoryIsFound(String url) {
		assertThat(PrivateDatabase.of(url)).contains(url);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:tcp://localhost:9092/mem:test", "jdbc:h2:ssl://localhost/mem:test",
			"jdbc:h2:file:./memory", "jdbc:h2:./mem", "jdbc:h2:~/mem:", "jdbc:hsqldb:hsql://localhost/mem",
			"jdbc:hsqldb:file:mem", "jdbc:derby://localhost/memory:test", "jdbc:derby:memories",
			"jdbc:postgresql://localhost/jdbc:h2:mem:", "" })
	void aDatabaseThatOthersReachIsNot(String url) {
		assertThat(PrivateDatabase.of(url)).isEmpty();
	}

	@Test
	void whatFollowsTheNameIsNotTold() {
		assertThat(PrivateDatabase.of("jdbc:h2:mem:test;USER=sa;PASSWORD=secret")).contains("jdbc:h2:mem:test");
		assertThat(PrivateDatabase.of("jdbc:derby:memory:test;create=true")).contains("jdbc:derby:memory:test");
	}

	@Test
	void aDriverThatTellsNoUrlIsNotSuspected() {
		assertThat(PrivateDatabase.of(null)).isEmpty();
	}

}
