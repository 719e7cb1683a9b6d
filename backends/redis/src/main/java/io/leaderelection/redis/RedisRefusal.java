package io.leaderelection.redis;

import java.util.List;
import java.util.regex.Pattern;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * What Redis may answer to every call until somebody changes its setup or ours, told from
 * the words of the error that it sent.
 */
enum RedisRefusal {

	NO_INFO(List.of("LEADERELECTION_NOINFO"), """
			The server does not tell its replication id, so that a failover that lost the last lease would go \
			unnoticed. Grant INFO to the Redis user (ACL SETUSER <user> +info), or, if this Redis has no replica \
			and no restart that loses writes, set leader-election.redis.detect-failover=false"""),

	NO_MASTER(List.of("LEADERELECTION_NOMASTER", "READONLY"), """
			The server is a replica. Point spring.data.redis.* at the master, or let Sentinel or Cluster find it \
			(spring.data.redis.sentinel.*, spring.data.redis.cluster.*)"""),

	WRONG_PASSWORD(List.of("WRONGPASS", "NOAUTH"),
			"The server does not accept the login. Check spring.data.redis.username and spring.data.redis.password"),

	NO_RIGHTS(List.of("NOPERM", "The user executing the script can't", "ERR unknown command"), """
			The Redis user may not run the scripts that elections are made of. Grant it (ACL SETUSER <user> ~%1$s \
			&%1$s +eval +evalsha +time +info +exists +hmget +hgetall +hlen +hset +hdel +pexpireat +persist +publish \
			+subscribe +unsubscribe +ping)"""),

	FOREIGN_KEY(List.of("WRONGTYPE"),
			"""
					A key that starts with the prefix of the elections (%1$s) holds something that they have not written. Delete \
					it while nobody leads, or choose another leader-election.redis.key-prefix"""),

	OTHER_SLOT(List.of("CROSSSLOT"), """
			The server spreads keys with the same hash tag (%1$s), which a Redis Cluster does not. Elections need \
			a server or proxy that heeds hash tags""");

	private static final Pattern ERROR = Pattern.compile("^[A-Z]{2,} ");

	private final List<String> words;

	private final String remedy;

	RedisRefusal(List<String> words, String remedy) {
		this.words = words;
		this.remedy = remedy;
	}

	/** The refusal in what a client has thrown, if it is one. */
	static @Nullable RedisRefusal in(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			String message = cause.getMessage();
			for (RedisRefusal refusal : values()) {
				if (message != null && refusal.words.stream().anyMatch(message::contains)) {
					return refusal;
				}
			}
		}
		return null;
	}

	/** The exception for whatever a client has thrown. */
	static LeaseStoreException explain(Throwable failure, RedisKeys keys) {
		RedisRefusal refusal = in(failure);
		String answer = mostSpecific(failure).toString();
		if (refusal == null) {
			boolean rejection = isError(mostSpecific(failure).getMessage());
			return new LeaseStoreException(
					"Redis %s: %s".formatted(rejection ? "answered with an error" : "gave no answer", answer), failure,
					rejection);
		}
		return refusal.exception(answer, keys, failure);
	}

	RedisLeaseStoreException exception(String detail, RedisKeys keys, @Nullable Throwable cause) {
		return new RedisLeaseStoreException(this.remedy.formatted(keys.pattern()), detail, cause);
	}

	static boolean isNoScript(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().startsWith("NOSCRIPT")) {
				return true;
			}
		}
		return false;
	}

	/** Errors of Redis begin with a word in capitals, such as OOM, LOADING or MISCONF. */
	private static boolean isError(@Nullable String message) {
		return message != null && ERROR.matcher(message).find();
	}

	private static Throwable mostSpecific(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause;
	}

}
