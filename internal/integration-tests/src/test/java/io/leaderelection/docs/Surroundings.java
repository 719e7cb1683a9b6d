package io.leaderelection.docs;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What snippets take for granted: imports, the variables of the class that they are part
 * of, and classes that a reader has.
 */
final class Surroundings {

	static final String IMPORTS = """
			import io.etcd.jetcd.ByteSequence;
			import io.etcd.jetcd.op.Op;
			import io.etcd.jetcd.options.PutOption;
			import io.leaderelection.*;
			import io.leaderelection.annotation.*;
			import io.leaderelection.dynamodb.*;
			import io.leaderelection.etcd.*;
			import io.leaderelection.fencing.*;
			import io.leaderelection.jdbc.*;
			import io.leaderelection.redis.*;
			import io.leaderelection.store.*;
			import io.leaderelection.test.*;
			import io.leaderelection.test.contract.*;
			import io.leaderelection.test.spring.*;
			import io.leaderelection.web.*;
			import io.leaderelection.zookeeper.*;
			import jakarta.servlet.http.HttpServletRequest;
			import java.time.Duration;
			import java.util.*;
			import java.util.concurrent.*;
			import javax.sql.DataSource;
			import org.apache.curator.framework.CuratorFramework;
			import org.junit.jupiter.api.Test;
			import org.junit.jupiter.api.extension.ExtendWith;
			import org.springframework.beans.factory.annotation.*;
			import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
			import org.springframework.boot.test.context.SpringBootTest;
			import org.springframework.context.annotation.Bean;
			import org.springframework.context.annotation.Configuration;
			import org.springframework.context.event.EventListener;
			import org.springframework.http.*;
			import org.springframework.http.server.ServletServerHttpRequest;
			import org.springframework.integration.dsl.IntegrationFlow;
			import org.springframework.integration.dsl.Pollers;
			import org.springframework.jdbc.core.JdbcTemplate;
			import org.springframework.kafka.listener.KafkaMessageListenerContainer;
			import org.springframework.scheduling.annotation.Scheduled;
			import org.springframework.security.config.Customizer;
			import org.springframework.security.config.annotation.web.builders.HttpSecurity;
			import org.springframework.security.web.SecurityFilterChain;
			import org.springframework.stereotype.*;
			import org.springframework.transaction.annotation.Transactional;
			import org.springframework.transaction.support.TransactionTemplate;
			import org.springframework.web.bind.annotation.*;
			import org.springframework.web.client.RestClient;
			import org.springframework.web.servlet.function.RouterFunction;
			import org.springframework.web.servlet.function.RouterFunctions;
			import org.springframework.web.servlet.function.ServerResponse;
			import software.amazon.awssdk.services.dynamodb.model.*;
			import static org.assertj.core.api.Assertions.*;
			""";

	/** Classes of libraries that the build does not have. */
	static final Map<String, String> STRANGERS = Map
		.of("org.springframework.kafka.listener.KafkaMessageListenerContainer", """
				package org.springframework.kafka.listener;
				public class KafkaMessageListenerContainer<K, V> { }
				""");

	private static final Map<String, String> FIELDS = Map.ofEntries(Map.entry("reports", "LeaderElector"),
			Map.entry("payouts", "LeaderElector"), Map.entry("token", "FencingToken"),
			Map.entry("service", "ReportService"), Map.entry("redisFence", "RedisFence"),
			Map.entry("zooKeeperFence", "ZooKeeperFence"), Map.entry("jdbcFence", "JdbcFence"),
			Map.entry("fence", "Fence"), Map.entry("client", "CuratorFramework"), Map.entry("data", "byte[]"),
			Map.entry("json", "String"), Map.entry("day", "String"), Map.entry("line", "String"),
			Map.entry("jdbc", "JdbcTemplate"), Map.entry("transactionTemplate", "TransactionTemplate"),
			Map.entry("ledger", "RestClient"), Map.entry("entries", "List<String>"),
			Map.entry("tokens", "CallerTokens"), Map.entry("problems", "LeaderElectionProblems"));

	/** Classes of the reader's own. */
	private static final Map<String, String> TYPES = Map.of("ReportService",
			"interface ReportService { void publish(); }", "Reports",
			"interface Reports { String next(); void publish(String report); }", "Payouts",
			"interface Payouts { void pay(); void pay(Runnable inBetween); int paid(); }");

	private Surroundings() {
	}

	static String fields() {
		return FIELDS.entrySet()
			.stream()
			.map((field) -> "%s %s;".formatted(field.getValue(), field.getKey()))
			.collect(Collectors.joining("\n"));
	}

	/** The reader's classes that some code mentions and does not bring itself. */
	static String typesFor(String code) {
		return TYPES.entrySet()
			.stream()
			.filter((type) -> Pattern.compile("\\b%s\\b".formatted(type.getKey())).matcher(code).find())
			.filter((type) -> !Pattern.compile("(class|interface|record) %s\\b".formatted(type.getKey()))
				.matcher(code)
				.find())
			.map(Map.Entry::getValue)
			.collect(Collectors.joining("\n"));
	}

}
