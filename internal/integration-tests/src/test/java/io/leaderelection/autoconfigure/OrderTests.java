package io.leaderelection.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the auto-configurations have their turn.
 */
class OrderTests {

	/**
	 * A store, a registry or a client that another auto-configuration defines after them
	 * would not be seen: two possible backends could pass for one. One without an order
	 * would bring those forward that it comes after.
	 */
	@Test
	void allComeAfterEverythingElse() {
		List<String> own = ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.leaderelection."))
			.toList();
		assertThat(own).contains(LeaderElectionAutoConfiguration.class.getName()).allSatisfy((name) -> {
			AutoConfigureOrder order = AnnotatedElementUtils
				.getMergedAnnotation(ClassUtils.forName(name, getClass().getClassLoader()), AutoConfigureOrder.class);
			assertThat(order).isNotNull();
			assertThat(order.value()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
		});
	}

}
