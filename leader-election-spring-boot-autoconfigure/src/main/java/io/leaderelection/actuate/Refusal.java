package io.leaderelection.actuate;

import java.util.List;

/**
 * Why nothing has changed.
 *
 * @param status the HTTP status
 * @param detail what was wrong
 * @param allowed what would have been right, where that is a choice
 */
record Refusal(int status, String detail, List<String> allowed) {

	static Refusal of(RefusedActionException refused) {
		int status = switch (refused.kind()) {
			case BAD_REQUEST -> 400;
			case UNKNOWN_ELECTION -> 404;
			case NOT_LEADER -> 409;
			case STORE_UNREACHABLE -> 503;
		};
		return new Refusal(status, String.valueOf(refused.getMessage()), refused.allowed());
	}

}
