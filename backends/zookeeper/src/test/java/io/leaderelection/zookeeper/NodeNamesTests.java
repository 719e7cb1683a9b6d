package io.leaderelection.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NodeNamesTests {

	@Test
	void plainNamesStayReadable() {
		assertThat(NodeNames.encode("daily-reports_v1.2")).isEqualTo("daily-reports_v1.2");
	}

	@Test
	void everyNameIsAValidPathOfItsOwnAndComesBack() {
		List<String> names = List.of("a/b", "a%002fb", ".", "..", "...", ".a", "100%", "漢字", "😀", "\ud83d", "\ude00",
				"ä", "a\u0308", " ", "zookeeper", "\uf8ff", "\ufff0", "%");
		Set<String> encoded = new HashSet<>();
		for (String name : names) {
			String node = NodeNames.encode(name);
			PathUtils.validatePath("/" + node);
			assertThat(NodeNames.decode(node)).isEqualTo(name);
			assertThat(encoded.add(node)).as(name).isTrue();
		}
	}

	@Test
	void whatWasNotEncodedIsRefused() {
		for (String other : List.of("a/b", "%", "%00", "%zzzz", "a b")) {
			assertThatIllegalArgumentException().isThrownBy(() -> NodeNames.decode(other));
		}
	}

}
