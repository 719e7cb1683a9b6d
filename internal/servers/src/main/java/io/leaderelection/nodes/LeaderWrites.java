package io.leaderelection.nodes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.StaleLeaderException;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * What a {@link NodeApplication} does with a leadership when it is given a table: it
 * opens a transaction, waits for a line on its standard input, writes its token to the
 * table, and commits. There is no word of fences in it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("node.result-table")
public class LeaderWrites {

	@Bean
	public Writer writer(JdbcTemplate jdbc, Environment environment) {
		return new Writer(jdbc, environment.getRequiredProperty("node.result-table"));
	}

	@Bean
	public SmartInitializingSingleton writing(LeaderElections elections, Writer writer) {
		LeaderElector elector = elections.elector(NodeApplication.ELECTION);
		return () -> elector.onLeadershipGained(() -> new Thread(() -> write(elector, writer), "writer").start());
	}

	private static void write(LeaderElector elector, Writer writer) {
		long token = elector.fencingToken().map(FencingToken::value).orElse(0L);
		try {
			elector.executeAsLeader(() -> {
				writer.write();
				return true;
			});
			NodeApplication.say("COMMITTED", token);
		}
		catch (StaleLeaderException ex) {
			NodeApplication.say("REFUSED", ex.refused().value());
		}
		catch (Exception ex) {
			ex.printStackTrace();
			NodeApplication.say("FAILED", token);
		}
	}

	/**
	 * A service as everybody has one.
	 */
	public static class Writer {

		private final JdbcTemplate jdbc;

		private final String table;

		private final BufferedReader input = new BufferedReader(
				new InputStreamReader(System.in, StandardCharsets.UTF_8));

		Writer(JdbcTemplate jdbc, String table) {
			this.jdbc = jdbc;
			this.table = table;
		}

		@Transactional
		public void write() {
			long token = Leadership.current().orElseThrow().token().value();
			this.jdbc.queryForList("SELECT TOKEN FROM " + this.table);
			NodeApplication.say("OPENED", token);
			awaitLine();
			this.jdbc.update("UPDATE %s SET TOKEN = ?".formatted(this.table), token);
			NodeApplication.say("WROTE", token);
		}

		private void awaitLine() {
			try {
				if (this.input.readLine() == null) {
					throw new IllegalStateException("nobody is there any more");
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
