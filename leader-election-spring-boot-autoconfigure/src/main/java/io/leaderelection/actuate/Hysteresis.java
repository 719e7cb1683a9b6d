package io.leaderelection.actuate;

/**
 * Whether a node counts as healthy. It takes several looks in a row to change that, and
 * more to come back than to go, if so configured: a node at the edge shall not step down
 * and stand again in turns. Before it was ever healthy, one good look is enough.
 */
final class Hysteresis {

	private final int failureThreshold;

	private final int successThreshold;

	private boolean everHealthy;

	private boolean healthy;

	private int contrary;

	Hysteresis(int failureThreshold, int successThreshold) {
		this.failureThreshold = failureThreshold;
		this.successThreshold = successThreshold;
	}

	boolean isHealthy() {
		return this.healthy;
	}

	/** Takes note of a look; says whether it has changed the matter. */
	boolean looked(boolean well) {
		if (well == this.healthy) {
			this.contrary = 0;
			return false;
		}
		this.contrary++;
		if (this.contrary < threshold()) {
			return false;
		}
		this.contrary = 0;
		this.healthy = well;
		this.everHealthy = true;
		return true;
	}

	private int threshold() {
		if (this.healthy) {
			return this.failureThreshold;
		}
		return this.everHealthy ? this.successThreshold : 1;
	}

}
