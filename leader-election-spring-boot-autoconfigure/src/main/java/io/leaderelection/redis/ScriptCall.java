package io.leaderelection.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
			if (!(part instanceof List<?> values)) {
				throw new Reply(List.of(String.valueOf(part))).notUnderstood();
			}
			replies.add(new Reply(values));
		}
		return replies;
	}

	private List<?> run() {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			List<?> answer = run(connection.scriptingCommands());
			if (answer == null) {
				throw new LeaseStoreException("Redis gave no answer to " + this.script);
			}
			return answer;
		}
		catch (LeaseStoreException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw RedisRefusal.explain(ex, this.names);
		}
	}

	private @Nullable List<?> run(RedisScriptingCommands commands) {
		List<byte[]> all = new ArrayList<>(this.keys);
		all.addAll(this.arguments);
		byte[][] keysAndArguments = all.toArray(new byte[0][]);
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

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
