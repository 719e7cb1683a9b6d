package io.leaderelection.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.BindingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which leadership a parameter stands for.
 */
class OwnLeadershipTests {

	private final LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("node-1").build();

	@BeforeEach
	void start() {
		this.elections.elector("reports");
		this.elections.start();
	}

	@AfterEach
	void stop() {
		this.elections.close();
	}

	@Test
	void theOnlyElectionNeedsNoName() {
		FencingToken token = led("reports").token();
		assertThat(own().argument(parameter("token"), null)).isEqualTo(token);
	}

	@Test
	void ofSeveralTheDefaultNeedsNoName() {
		FencingToken token = led("default").token();
		assertThat(own().argument(parameter("token"), null)).isEqualTo(token);
	}

	@Test
	void aStrategyKnowsTheElection() {
		this.elections.elector("mails");
		FencingToken token = led("mails").token();
		assertThat(own(election("mails", false)).argument(parameter("token"), null)).isEqualTo(token);
	}

	@Test
	void theParameterKnowsItBetter() {
		FencingToken token = led("reports").token();
		assertThat(own(election("mails", false)).argument(parameter("qualified"), null)).isEqualTo(token);
	}

	@Test
	void theLeadershipThatTheRequestIsHandledUnderComesFirst() {
		Leadership mails = led("mails");
		assertThat(own().argument(parameter("token"), mails)).isEqualTo(mails.token());
		assertThat(own().argument(parameter("leadership"), mails)).isSameAs(mails);
		assertThat(own().argument(parameter("qualified"), mails)).isEqualTo(led("reports").token());
	}

	@Test
	void oneThatHasEndedIsNotReplacedByTheNext() {
		Leadership former = led("reports");
		this.elections.elector("reports").operations().stepDown().join();
		assertThat(this.elections.elector("reports").tryBecomeLeader()).isTrue();
		assertThatExceptionOfType(LeadershipLostException.class)
			.isThrownBy(() -> own().argument(parameter("token"), former))
			.satisfies((lost) -> assertThat(lost.token()).isEqualTo(former.token()));
		assertThat(own().argument(parameter("optional"), former)).isEqualTo(Optional.empty());
	}

	@Test
	void aGuardedHandlerIsLeftToItsGuard() {
		this.elections.elector("reports").operations().pause().join();
		assertThatExceptionOfType(NotLeaderException.class)
			.isThrownBy(() -> own(election("reports", false)).argument(parameter("token"), null));
		assertThat(own(election("reports", true)).argument(parameter("token"), null)).isNull();
		assertThat(own(election("reports", true)).argument(parameter("optional"), null)).isEqualTo(Optional.empty());
	}

	@Test
	void aReactiveChainCarriesItsLeadershipInItsContext() {
		Leadership mails = led("mails");
		ReactiveLeadershipArgumentResolver resolver = new ReactiveLeadershipArgumentResolver(own());
		MockServerHttpRequest request = MockServerHttpRequest.get("/").build();
		Mono<Object> argument = resolver.resolveArgument(parameter("token"), new BindingContext(),
				MockServerWebExchange.from(request));
		CurrentLeadership.set(led("reports"));
		try {
			assertThat(argument.block()).isEqualTo(led("reports").token());
			assertThat(argument.contextWrite((context) -> context.put(Leadership.class, mails)).block())
				.isEqualTo(mails.token());
		}
		finally {
			CurrentLeadership.set(null);
		}
	}

	private Leadership led(String election) {
		LeaderElector elector = this.elections.elector(election);
		Awaitility.await().until(elector::isLeader);
		return elector.leadership().orElseThrow();
	}

	private OwnLeadership own(HandlerElectionResolver... strategies) {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("elections", this.elections);
		return new OwnLeadership(beans.getBeanProvider(LeaderElections.class), List.of(strategies));
	}

	private static HandlerElectionResolver election(String election, boolean guarded) {
		return new HandlerElectionResolver() {

			@Override
			public Optional<String> election(MethodParameter parameter) {
				return Optional.of(election);
			}

			@Override
			public boolean isGuarded(MethodParameter parameter) {
				return guarded;
			}

		};
	}

	private static MethodParameter parameter(String name) {
		Method method = Stream.of(OwnLeadershipTests.class.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals("handler"))
			.findFirst()
			.orElseThrow();
		for (int i = 0; i < method.getParameterCount(); i++) {
			if (method.getParameters()[i].getName().equals(name)) {
				return new MethodParameter(method, i);
			}
		}
		throw new IllegalArgumentException(name);
	}

	void handler(FencingToken token, Optional<FencingToken> optional, @Nullable Leadership nullable,
			@Qualifier("reports") FencingToken qualified, Leadership leadership) {
	}

}
