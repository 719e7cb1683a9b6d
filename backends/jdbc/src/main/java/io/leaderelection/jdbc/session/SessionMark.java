package io.leaderelection.jdbc.session;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The session that a lease is bound to, as its row names it: behind the incarnation of
 * its owner, which nodes in lease mode do not interpret. Internal.
 *
 * @param timeline the timeline of the server, which changes when a standby is promoted
 * @param server when the server was started; zero for a lease without a holder
 * @param key the key that the session has locked; zero for a lease without a holder
 */
public record SessionMark(String timeline, long server, long key) {

	private static final Pattern MARK = Pattern.compile("@([0-9A-F]{8})(?::([0-9]{1,18}):([0-9]{1,18}))?$");

	public static Optional<SessionMark> of(@Nullable String incarnation) {
		Matcher matcher = MARK.matcher((incarnation != null) ? incarnation : "");
		if (!matcher.find()) {
			return Optional.empty();
		}
		boolean held = matcher.group(2) != null;
		return Optional.of(new SessionMark(matcher.group(1), held ? Long.parseLong(matcher.group(2)) : 0,
				held ? Long.parseLong(matcher.group(3)) : 0));
	}

	public static String without(String incarnation) {
		return MARK.matcher(incarnation).replaceFirst("");
	}

	/** An incarnation with this mark. */
	public String on(String incarnation) {
		return "%s@%s:%d:%d".formatted(incarnation, this.timeline, this.server, this.key);
	}

	boolean isOfSameServer(SessionMark other) {
		return this.server == other.server && isOfSameTimeline(other);
	}

	boolean isOfSameTimeline(SessionMark other) {
		return this.timeline.equals(other.timeline);
	}

}
