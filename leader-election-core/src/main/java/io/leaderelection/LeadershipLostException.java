package io.leaderelection;

/**
 * The leadership under which work was done ended before the work did. What was written to
 * a resource without a fence may have been written beside a newer leader.
 */
public class LeadershipLostException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final FencingToken token;

	public LeadershipLostException(FencingToken token) {
		super("The leadership of '%s' with token %d ended before its work did".formatted(token.election(),
				token.value()));
		this.token = token;
	}

	/**
	 * The token of the leadership that ended.
	 * @return the token
	 */
	public FencingToken token() {
		return this.token;
	}

}
