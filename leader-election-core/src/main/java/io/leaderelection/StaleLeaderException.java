package io.leaderelection;

/**
 * A fence refused a token, because the resource has seen a higher one: a newer leader has
 * been at work.
 */
public class StaleLeaderException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final FencingToken refused;

	private final FencingToken newest;

	public StaleLeaderException(FencingToken refused, FencingToken newest) {
		super("The token %d of '%s' is stale: the resource has seen %d".formatted(refused.value(), refused.election(),
				newest.value()));
		this.refused = refused;
		this.newest = newest;
	}

	/**
	 * The token that was refused.
	 * @return the stale token
	 */
	public FencingToken refused() {
		return this.refused;
	}

	/**
	 * The highest token that the resource has seen.
	 * @return the newest token
	 */
	public FencingToken newest() {
		return this.newest;
	}

}
