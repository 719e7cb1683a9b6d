package io.leaderelection.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.StaleTokens;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * Writes to Redis in a leader's name, unless a newer leader has written before: the token
 * is compared with the highest seen, and the write done, in one script.
 *
 * <p>
 * The highest token is kept, for ever, in a key beside what is written, once for each
 * election and hash tag: {@code leader-election-fence:{tag}:election}. What the token of
 * a newer leader has not been seen for is not closed to the former one yet, so keys that
 * belong together should share a tag. A key without a tag has a fence of its own. A
 * server that evicts or loses that key forgets: the next token passes, whichever it is.
 *
 * <p>
 * An operation whose answer was lost may have been done.
 */
public final class RedisFence implements Fence {

	private static final AtomicLong NUMBERS = new AtomicLong();

	private static final String NO_FENCE = "LEADERELECTION_NOFENCE";

	private static final String PASS = "return false";

	private static final String BEFORE = load("fence.lua");

	private static final String BEFORE_UNFENCED = "local function fenced(KEYS, ARGV)\n";

	private static final String AFTER = load("fenced.lua");

	private final RedisConnectionFactory connectionFactory;

	private final FenceKeys keys;

	private final @Nullable StaleTokens staleTokens;

	/**
	 * A fence with the default prefix, that reports to nobody.
	 * @param connectionFactory connects to Redis
	 */
	public RedisFence(RedisConnectionFactory connectionFactory) {
		this(connectionFactory, RedisLeaseStore.DEFAULT_KEY_PREFIX, null);
	}

	/**
	 * A fence with a prefix of its own.
	 * @param connectionFactory connects to Redis
	 * @param keyPrefix what the keys of the fence begin with; it may not contain braces
	 * @param staleTokens told of every refusal
	 */
	public RedisFence(RedisConnectionFactory connectionFactory, String keyPrefix, @Nullable StaleTokens staleTokens) {
		this.connectionFactory = connectionFactory;
		this.keys = new FenceKeys(keyPrefix);
		this.staleTokens = staleTokens;
	}

	/**
	 * Lets the token pass, unless a higher one was seen by this method before. It knows
	 * nothing of what the other methods have seen. A resource that is not in Redis can be
	 * written to by a former leader between its check and its write.
	 * @param token the token
	 * @throws StaleLeaderException if a higher token was seen
	 */
	@Override
	public void check(FencingToken token) {
		run(token, this.keys.of(token.election()), PASS, List.of(), List.of());
	}

	/**
	 * Closes a key, and all that share its tag, to lower tokens from now on. A new leader
	 * does so before it reads what it is going to change.
	 * @param token the token
	 * @param key the key
	 * @throws StaleLeaderException if a higher token was seen
	 */
	public void check(FencingToken token, String key) {
		execute(token, PASS, List.of(key));
	}

	/**
	 * Sets a value, as SET does.
	 * @param token the token of the leadership that writes
	 * @param key the key
	 * @param value its new value
	 * @throws StaleLeaderException if a higher token was seen; nothing was written
	 */
	public void set(FencingToken token, String key, String value) {
		execute(token, "return redis.call('SET', KEYS[1], ARGV[1])", List.of(key), value);
	}

	/**
	 * Sets a value that is forgotten after a while, as SET with PX does.
	 * @param token the token of the leadership that writes
	 * @param key the key
	 * @param value its new value
	 * @param lifetime how long it is kept, at least a millisecond
	 * @throws StaleLeaderException if a higher token was seen; nothing was written
	 */
	public void set(FencingToken token, String key, String value, Duration lifetime) {
		execute(token, "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])", List.of(key), value,
				lifetime.toMillis());
	}

	/**
	 * Sets a field of a hash, as HSET does.
	 * @param token the token of the leadership that writes
	 * @param key the key
	 * @param field the field
	 * @param value its new value
	 * @throws StaleLeaderException if a higher token was seen; nothing was written
	 */
	public void put(FencingToken token, String key, String field, String value) {
		execute(token, "return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])", List.of(key), field, value);
	}

	/**
	 * Adds to a number, as INCRBY does.
	 * @param token the token of the leadership that writes
	 * @param key the key
	 * @param delta what to add
	 * @return the new value
	 * @throws StaleLeaderException if a higher token was seen; nothing was written
	 */
	public long increment(FencingToken token, String key, long delta) {
		return number(execute(token, "return redis.call('INCRBY', KEYS[1], ARGV[1])", List.of(key), delta));
	}

	/**
	 * Deletes a key, as DEL does.
	 * @param token the token of the leadership that writes
	 * @param key the key
	 * @return whether it was there
	 * @throws StaleLeaderException if a higher token was seen; nothing was deleted
	 */
	public boolean delete(FencingToken token, String key) {
		return number(execute(token, "return redis.call('DEL', KEYS[1])", List.of(key))) == 1;
	}

	/**
	 * Runs a script of the caller's behind the check, in the same atomic step.
	 * @param token the token of the leadership that writes
	 * @param script the text of the script, which has the keys in {@code KEYS} and the
	 * arguments in {@code ARGV}. It should be the same for every call, since the server
	 * keeps each one
	 * @param keys the keys that it uses, at least one, all with the same hash tag or all
	 * the same
	 * @param arguments its arguments: byte arrays as they are, everything else as text
	 * @return what the script returns: a {@code Long}, a {@code byte[]}, a list, or
	 * {@code null}
	 * @throws StaleLeaderException if a higher token was seen; the script was not run
	 */
	public @Nullable Object execute(FencingToken token, String script, List<String> keys, Object... arguments) {
		return run(token, this.keys.of(token.election(), keys), script, keys, List.of(arguments));
	}

	private @Nullable Object run(FencingToken token, String fence, String script, List<String> keys,
			List<Object> arguments) {
		String number = String.valueOf(NUMBERS.incrementAndGet());
		List<byte[]> all = new ArrayList<>();
		all.add(bytes(fence));
		keys.forEach((key) -> all.add(bytes(key)));
		all.add(bytes(Long.toString(token.value())));
		all.add(bytes(number));
		arguments.forEach((argument) -> all.add((argument instanceof byte[] raw) ? raw : bytes(argument.toString())));
		boolean checked = this.staleTokens != null && this.staleTokens.checkInProcess(token);
		List<?> answer = run((checked ? BEFORE_UNFENCED : BEFORE) + script + AFTER, 1 + keys.size(),
				all.toArray(new byte[0][]));
		Reply reply = new Reply(answer);
		// an answer to another call comes from a connection that is out of step
		if (answer.size() < 2 || !number.equals(reply.state())) {
			throw reply.notUnderstood();
		}
		if (reply.text(1).orElse("").equals("stale")) {
			throw refusal(token, reply.number(2));
		}
		return (answer.size() > 2) ? answer.get(2) : null;
	}

	private List<?> run(String script, int keyCount, byte[][] keysAndArguments) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			try {
				return evaluate(connection.scriptingCommands(), script, keyCount, keysAndArguments);
			}
			catch (RuntimeException ex) {
				JedisSocket.disconnect(connection);
				throw ex;
			}
		}
		catch (RuntimeException ex) {
			throw explain(ex, keysAndArguments[0]);
		}
	}

	/** What the caller's script has done wrong is the caller's affair. */
	private static RuntimeException explain(RuntimeException failure, byte[] fence) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().contains(NO_FENCE)) {
				return new RedisLeaseStoreException(("The key '%s' holds something that no fence has written, so that "
						+ "nothing passes. Find out who did, and delete it while nobody leads")
					.formatted(new String(fence, StandardCharsets.UTF_8)), failure);
			}
		}
		return failure;
	}

	private static List<?> evaluate(RedisScriptingCommands commands, String script, int keyCount,
			byte[][] keysAndArguments) {
		Object answer;
		try {
			answer = commands.evalSha(DigestUtils.sha1DigestAsHex(script), ReturnType.MULTI, keyCount,
					keysAndArguments);
		}
		catch (RuntimeException ex) {
			if (!RedisRefusal.isNoScript(ex)) {
				throw ex;
			}
			answer = commands.eval(bytes(script), ReturnType.MULTI, keyCount, keysAndArguments);
		}
		if (answer instanceof List<?> list) {
			return list;
		}
		throw new Reply(List.of()).notUnderstood();
	}

	private StaleLeaderException refusal(FencingToken token, long newest) {
		StaleLeaderException refusal = new StaleLeaderException(token, new FencingToken(token.election(), newest));
		return (this.staleTokens != null) ? this.staleTokens.refused(refusal) : refusal;
	}

	private static long number(@Nullable Object answer) {
		if (answer instanceof Long number) {
			return number;
		}
		throw new Reply((answer != null) ? List.of(answer) : List.of()).notUnderstood();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String load(String part) {
		try {
			return new ClassPathResource(part, RedisFence.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
