package io.leaderelection.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.docs.Page;
import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.test.TestLeadership;
import io.leaderelection.test.spring.AutoConfigureTestLeadership;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The example of the README and of docs/testing.md: a test of an application's own
 * {@code @LeaderOnly} code.
 */
@SpringBootTest(classes = Payouts.Application.class,
		properties = { "spring.main.web-application-type=none", "spring.docker.compose.enabled=false",
				"spring.datasource.url=jdbc:h2:mem:payouts", "spring.sql.init.mode=never" })
@AutoConfigureTestLeadership
class PayoutsTests {

	@Autowired
	Payouts payouts;

	@Autowired
	TestLeadership leadership;

	@Autowired
	JdbcFence fence;

	@Autowired
	TransactionTemplate transaction;

	@Autowired
	JdbcTemplate jdbc;

	@BeforeEach
	void begin() {
		this.jdbc.update("DELETE FROM PAYOUT");
	}

	@Test
	void aFollowerPaysNothing() {
		this.payouts.pay();
		assertThat(this.payouts.paid()).isZero();
	}

	@Test
	void theLeaderPays() {
		this.leadership.grant("payouts");
		this.payouts.pay();
		assertThat(this.payouts.paid()).isOne();
	}

	@Test
	void aLeaderThatWasReplacedUnawaresPaysNothing() {
		this.leadership.grant("payouts");
		FencingToken newer = this.leadership.fence("payouts");
		this.transaction.executeWithoutResult((status) -> this.fence.check(newer));
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(this.payouts::pay);
		assertThat(this.payouts.paid()).isZero();
	}

	@Test
	void aLeaderThatIsReplacedWhileItPaysIsTold() {
		this.leadership.grant("payouts");
		assertThatExceptionOfType(LeadershipLostException.class)
			.isThrownBy(() -> this.payouts.pay(() -> this.leadership.expire("payouts")));
	}

	@ParameterizedTest
	@CsvSource({ "README.md, 4", "docs/testing.md, 6" })
	void theDocumentationShowsWhatStandsHere(String page, int size) throws IOException {
		Path module = Path.of("").toAbsolutePath();
		String source = squeezed(Files.readString(
				module.resolve("src/test/java/%s.java".formatted(PayoutsTests.class.getName().replace('.', '/')))));
		Matcher example = Pattern.compile("class PayoutsTests \\{(.*?)```", Pattern.DOTALL)
			.matcher(Files.readString(Page.REPOSITORY.resolve(page)));
		assertThat(example.find()).isTrue();
		List<String> members = Arrays.stream(example.group(1).strip().split("\n\n"))
			.map(PayoutsTests::squeezed)
			.filter((member) -> !member.equals("}"))
			.toList();
		assertThat(members).hasSize(size).allSatisfy((member) -> assertThat(source).contains(member));
	}

	private static String squeezed(String text) {
		return text.replaceAll("\\s+", "");
	}

	@Test
	void workThatJoinsATransactionIsFencedWithIt() {
		this.leadership.grant("payouts");
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.payouts.pay();
				FencingToken newer = this.leadership.fence("payouts");
				this.jdbc.update("UPDATE LEADER_ELECTION_EPOCH SET TOKEN = ?", newer.value());
			}));
		assertThat(this.payouts.paid()).isZero();
	}

}
