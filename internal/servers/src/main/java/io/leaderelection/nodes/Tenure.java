package io.leaderelection.nodes;

import java.time.Duration;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.Registration;

/**
 * A leadership that believes in itself for ever, as that of a paused process does.
 *
 * @param token its token
 */
public record Tenure(FencingToken token) implements Leadership {

	@Override
	public boolean isCurrent() {
		return true;
	}

	@Override
	public boolean isHeld() {
		return true;
	}

	@Override
	public Duration remainingValidity() {
		return Duration.ofDays(1);
	}

	@Override
	public void tokenRejected(FencingToken highest) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Registration onEnding(Runnable action) {
		throw new UnsupportedOperationException();
	}

}
