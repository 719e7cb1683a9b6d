package io.leaderelection.test.simulation;

/**
 * How the network and the user's code behave just now.
 */
final class Weather {

	private final World world;

	private boolean stormy;

	private long calmSince;

	Weather(World world) {
		this.world = world;
	}

	void storm() {
		this.stormy = true;
	}

	void calm() {
		this.stormy = false;
		this.calmSince = this.world.now();
	}

	boolean isStormy() {
		return this.stormy;
	}

	long calmSince() {
		return this.calmSince;
	}

	boolean losesMessage() {
		return this.stormy && this.world.chance(0.03);
	}

	boolean doublesMessage() {
		return this.stormy && this.world.chance(0.04);
	}

	long latency() {
		if (!this.stormy) {
			return this.world.between(World.MILLI / 10, 2 * World.MILLI);
		}
		double draw = this.world.random().nextDouble();
		if (draw < 0.85) {
			return this.world.between(World.MILLI / 10, 5 * World.MILLI);
		}
		if (draw < 0.97) {
			return this.world.between(5 * World.MILLI, 500 * World.MILLI);
		}
		return this.world.between(500 * World.MILLI, 6 * World.SECOND);
	}

	/** How long a listener takes. */
	long listenerTime() {
		double draw = this.world.random().nextDouble();
		if (!this.stormy || draw < 0.85) {
			return this.world.between(0, 5 * World.MILLI);
		}
		if (draw < 0.97) {
			return this.world.between(5 * World.MILLI, 2 * World.SECOND);
		}
		return this.world.between(2 * World.SECOND, 8 * World.SECOND);
	}

	/** How long a guarded piece of work takes. */
	long workTime() {
		double draw = this.world.random().nextDouble();
		if (!this.stormy || draw < 0.7) {
			return this.world.between(World.MILLI, 100 * World.MILLI);
		}
		if (draw < 0.95) {
			return this.world.between(100 * World.MILLI, 3 * World.SECOND);
		}
		return this.world.between(3 * World.SECOND, 20 * World.SECOND);
	}

}
