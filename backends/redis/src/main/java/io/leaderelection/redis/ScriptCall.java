package io.leaderelection.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * One run of a script. Everything that varies goes along as a key or an argument, so that
 * the server knows the script by its digest after the first time.
 */
final class ScriptCall {

	private static final AtomicLong NUMBERS = new AtomicLong();

	private static final long NANOS_PER_MICRO = 1000;

	private final RedisConnectionFactory connectionFactory;

	private final RedisKeys names;

	private final LeaseScript script;

	private final List<byte[]> keys = new ArrayList<>();

	private final List<byte[]> arguments = new ArrayList<>();

	ScriptCall(RedisConnectionFactory connectionFactory, RedisKeys names, LeaseScript script) {
		this.connectionFactory = connectionFactory;
		this.names = names;
		this.script = script;
	}

	ScriptCall key(String key) {
		this.keys.add(bytes(key));
		return this;
	}

	ScriptCall text(String argument) {
		this.arguments.add(bytes(argument));
		return this;
	}

	ScriptCall number(long argument) {
		return text(Long.toString(argument));
	}

	/**
	 * In microseconds, rounded up: a lease lasts at least as long as its holder thinks.
	 */
	ScriptCall duration(Duration argument) {
		return number((argument.toNanos() + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO);
	}

	ScriptCall owner(Owner owner) {
		return text(owner.nodeId()).text(owner.incarnation());
	}

	/** Runs the script, whose answer is about one election. */
	Reply reply() {
		return new Reply(run());
	}

	/** Runs the script, whose answer has one part for each election. */
	List<Reply> replies() {
		List<Reply> replies = new ArrayList<>();
		for (Object part : run()) {
			replies.add(new Reply(list(part)));
		}
		return replies;
	}

	private List<?> run() {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			try {
				return run(connection.scriptingCommands());
			}
			catch (RuntimeException ex) {
				JedisSocket.disconnect(connection);
				throw ex;
			}
		}
		catch (LeaseStoreException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw RedisRefusal.explain(ex, this.names);
		}
	}

	/**
	 * The script answers with the number of the call, so that what a connection out of
	 * step brings, the answer to an earlier renewal for instance, is not taken for ours.
	 */
	private List<?> run(RedisScriptingCommands commands) {
		String number = String.valueOf(NUMBERS.incrementAndGet());
		List<byte[]> all = new ArrayList<>(this.keys);
		all.addAll(this.arguments);
		all.add(bytes(number));
		List<?> answer = list(run(commands, all.toArray(new byte[0][])));
		if (answer.size() != 2 || !number.equals(new Reply(answer).state())) {
			throw new Reply(answer).notUnderstood();
		}
		return list(answer.get(1));
	}

	private @Nullable Object run(RedisScriptingCommands commands, byte[][] keysAndArguments) {
		try {
			return commands.evalSha(this.script.sha1(), ReturnType.MULTI, this.keys.size(), keysAndArguments);
		}
		catch (RuntimeException ex) {
			if (!RedisRefusal.isNoScript(ex)) {
				throw ex;
			}
			return commands.eval(bytes(this.script.text()), ReturnType.MULTI, this.keys.size(), keysAndArguments);
		}
	}

	private static List<?> list(@Nullable Object answer) {
		if (answer instanceof List<?> list) {
			return list;
		}
		throw new Reply(Collections.singletonList(answer)).notUnderstood();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
