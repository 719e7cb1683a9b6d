package io.leaderelection.benchmarks.peers;

import java.util.List;

import io.leaderelection.benchmarks.peers.Claims.Claim;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimsTests {

	@Test
	void oneAfterTheOtherIsNoOverlap() {
		assertThat(Claims.overlap(List.of(List.of(new Claim(0, 10)), List.of(new Claim(10, 20))), 0, 100)).isZero();
	}

	@Test
	void twoAtOnceCountForAsLongAsBothClaim() {
		assertThat(Claims.overlap(List.of(List.of(new Claim(0, 10)), List.of(new Claim(7, 20))), 0, 100)).isEqualTo(3);
	}

	@Test
	void threeAtOnceCountOnce() {
		assertThat(Claims
			.overlap(List.of(List.of(new Claim(0, 10)), List.of(new Claim(4, 8)), List.of(new Claim(5, 20))), 0, 100))
			.isEqualTo(6);
	}

	@Test
	void severalOverlapsAddUp() {
		assertThat(Claims.overlap(List.of(List.of(new Claim(0, 10), new Claim(20, 30)), List.of(new Claim(9, 22))), 0,
				100))
			.isEqualTo(3);
	}

	@Test
	void whatIsOutsideOfTheTimeLookedAtDoesNotCount() {
		List<List<Claim>> claims = List.of(List.of(new Claim(0, Long.MAX_VALUE)),
				List.of(new Claim(5, Long.MAX_VALUE)));
		assertThat(Claims.overlap(claims, 10, 25)).isEqualTo(15);
	}

}
