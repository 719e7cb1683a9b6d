package io.leaderelection.test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.leaderelection.test.contract.LeaseStoreContract;
import org.awaitility.core.ConditionTimeoutException;
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
class BrokenStoresAreFoundTests {

	@ParameterizedTest
	@EnumSource
	void aBrokenStoreIsFound(BrokenStore broken) {
		List<Event> failures = EngineTestKit.engine("junit-jupiter")
			.configurationParameter(BrokenStoreContract.BREAKAGE, broken.name())
			.selectors(
					broken.foundBy().stream().map(BrokenStoresAreFoundTests::selector).toArray(MethodSelector[]::new))
			.execute()
			.testEvents()
			.failed()
			.list();
		assertThat(failures.stream().map(BrokenStoresAreFoundTests::testOf).distinct())
			.containsExactlyInAnyOrderElementsOf(broken.foundBy());
		assertThat(failures.stream().map(BrokenStoresAreFoundTests::causeOf))
			.allMatch((cause) -> cause instanceof AssertionError || cause instanceof ConditionTimeoutException);
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
