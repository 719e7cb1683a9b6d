package io.leaderelection.chaos.node;

import java.nio.file.Path;
import java.util.List;

import io.leaderelection.chaos.history.Answers;
import io.leaderelection.chaos.history.Sample;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SampleLogTests {

	private static final long MILLI = 1_000_000;

	@TempDir
	private Path directory;

	private SampleLog log;

	@BeforeEach
	void createLog() {
		this.log = SampleLog.create(this.directory.resolve("samples"));
	}

	@Test
	void answersThatAreTheSameAndCloseShareAnEntry() {
		add(false, 0, 10);
		add(false, 0, 12);
		add(false, 0, 15);
		assertThat(read()).containsExactly(new Answers("p", false, 0, sample(10), sample(15), 3, 3 * MILLI + 5));
	}

	@Test
	void anotherAnswerAndAnotherTokenBeginAnEntry() {
		add(false, 0, 10);
		add(true, 1, 12);
		add(true, 2, 14);
		assertThat(read()).extracting(Answers::token).containsExactly(0L, 1L, 2L);
		assertThat(read()).extracting(Answers::leader).containsExactly(false, true, true);
	}

	@Test
	void anAnswerThatIsFarFromTheOneBeforeBeginsAnEntry() {
		add(true, 1, 10);
		add(true, 1, 31);
		assertThat(read()).extracting(Answers::first).containsExactly(sample(10), sample(31));
	}

	@Test
	void whatIsBeingWrittenCanBeReadBesides() {
		SampleLog reader = SampleLog.open(this.directory.resolve("samples")).orElseThrow();
		assertThat(reader.latest("p")).isEmpty();
		add(false, 0, 10);
		assertThat(reader.latest("p")).map(Answers::leader).hasValue(false);
		add(true, 1, 12);
		add(true, 1, 14);
		assertThat(reader.latest("p")).map(Answers::last).hasValue(sample(14));
		assertThat(reader.latest("p")).map(Answers::leader).hasValue(true);
	}

	@Test
	void aLogThatNobodyHasBegunIsNone() {
		assertThat(SampleLog.open(this.directory.resolve("none"))).isEmpty();
	}

	private void add(boolean leader, long token, long millis) {
		this.log.add(leader, token, sample(millis).before(), sample(millis).after());
	}

	private static Sample sample(long millis) {
		return new Sample(millis * MILLI, millis * MILLI + 5);
	}

	private List<Answers> read() {
		return SampleLog.open(this.directory.resolve("samples")).orElseThrow().answers("p");
	}

}
