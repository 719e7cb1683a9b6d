package io.leaderelection.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.leaderelection.store.Owner;
import io.leaderelection.zookeeper.Paths.Candidate;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PathsTests {

	@Test
	void plainNamesStayReadable() {
		assertThat(Paths.encode("daily-reports_v1.2")).isEqualTo("daily-reports_v1.2");
	}

	@Test
	void everyNameIsAValidPathOfItsOwnAndComesBack() {
		List<String> names = List.of("a/b", "a%002fb", ".", "..", "...", ".a", "100%", "漢字", "😀", "\ud83d", "\ude00",
				"ä", "a\u0308", " ", "zookeeper", "\uf8ff", "\ufff0", "%");
		Set<String> encoded = new HashSet<>();
		for (String name : names) {
			String node = Paths.encode(name);
			PathUtils.validatePath("/" + node);
			assertThat(Paths.decode(node)).isEqualTo(name);
			assertThat(encoded.add(node)).as(name).isTrue();
		}
	}

	@Test
	void aCandidateComesBackFromItsName() {
		Candidate candidate = new Candidate(new Owner("a,b/\u6f22 ", ""), 7);
		PathUtils.validatePath(new Paths("", "/root").candidate("reports", candidate));
		assertThat(Candidate.parse(candidate.name())).contains(candidate);
		for (String other : List.of("", ",,", "a,b,c", "a,b,1,", "a b,c,1", Paths.newIdentity(),
				"0123456789abcdef0123456789abcdef-0123456789abcdef-0000000001")) {
			assertThat(Candidate.parse(other)).as(other).isEmpty();
		}
	}

	@Test
	void anElectionIsFoundByThePathsOfItsNodes() {
		Paths paths = new Paths("shop", "/root");
		assertThat(paths.electionOf(paths.record("a/b"))).contains("a/b");
		assertThat(paths.electionOf(paths.identity("a/b", Paths.newIdentity()))).contains("a/b");
		assertThat(paths.electionOf(paths.elections())).isEmpty();
		assertThat(paths.electionOf(paths.elections() + "/%zz")).isEmpty();
	}

	@Test
	void whatWasNotEncodedIsRefused() {
		for (String other : List.of("a/b", "%", "%00", "%zzzz", "a b")) {
			assertThatIllegalArgumentException().isThrownBy(() -> Paths.decode(other));
		}
	}

}
