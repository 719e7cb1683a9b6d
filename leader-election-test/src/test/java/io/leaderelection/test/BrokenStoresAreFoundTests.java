package io.leaderelection.test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.leaderelection.test.contract.LeaseStoreContract;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract can fail: each of many mistakes is found by the tests that are about it,
 * and there is no test in the contract that finds none.
 */
@Tag("full")
class BrokenStoresAreFoundTests {

	@ParameterizedTest
	@EnumSource
	void aBrokenStoreIsFound(BrokenStore broken) {
		Set<String> unfailing = new LinkedHashSet<>(broken.foundBy());
		// A machine that stalls for as long as a lease lasts may hide a mistake.
		for (int attempt = 0; attempt < 3 && !unfailing.isEmpty(); attempt++) {
			failuresOf(unfailing, broken).forEach((failure) -> {
				assertThat(causeOf(failure)).isInstanceOfAny(AssertionError.class, ConditionTimeoutException.class);
				unfailing.remove(testOf(failure));
			});
		}
		assertThat(unfailing).as("tests that do not find " + broken).isEmpty();
	}

	private static List<Event> failuresOf(Set<String> tests, BrokenStore broken) {
		return EngineTestKit.engine("junit-jupiter")
			.configurationParameter(BrokenStoreContract.BREAKAGE, broken.name())
			.selectors(tests.stream().map(BrokenStoresAreFoundTests::selector).toArray(MethodSelector[]::new))
			.execute()
			.testEvents()
			.failed()
			.list();
	}

	@Test
	void everyTestOfTheContractFindsABrokenStore() {
		List<String> tests = testsOfTheContract().map(Method::getName).toList();
		List<String> failing = Arrays.stream(BrokenStore.values())
			.flatMap((broken) -> broken.foundBy().stream())
			.distinct()
			.toList();
		assertThat(tests).hasSizeGreaterThan(80);
		assertThat(failing).containsExactlyInAnyOrderElementsOf(tests);
	}

	private static MethodSelector selector(String test) {
		Method method = testsOfTheContract().filter((candidate) -> candidate.getName().equals(test))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("The contract has no test " + test));
		return DiscoverySelectors.selectMethod(BrokenStoreContract.class, method);
	}

	private static Stream<Method> testsOfTheContract() {
		return Arrays.stream(LeaseStoreContract.class.getMethods())
			.filter((method) -> AnnotationSupport.isAnnotated(method, Test.class)
					|| AnnotationSupport.isAnnotated(method, ParameterizedTest.class));
	}

	private static String testOf(Event failure) {
		return ((MethodSource) failure.getTestDescriptor().getSource().orElseThrow()).getMethodName();
	}

	private static Throwable causeOf(Event failure) {
		return failure.getPayload(TestExecutionResult.class).flatMap(TestExecutionResult::getThrowable).orElseThrow();
	}

}
