package io.leaderelection.autoconfigure;

/**
 * What runs when the JVM is told to end.
 */
interface ShutdownHooks {

	/**
	 * Adds a hook.
	 * @param hook runs beside all others
	 * @return whether it will run; not if the JVM is ending already
	 */
	boolean add(Thread hook);

	/**
	 * Takes a hook away, unless the JVM is ending.
	 * @param hook the hook
	 */
	void remove(Thread hook);

	/** The hooks of this JVM. */
	static ShutdownHooks ofTheJvm() {
		return new ShutdownHooks() {

			@Override
			public boolean add(Thread hook) {
				try {
					Runtime.getRuntime().addShutdownHook(hook);
					return true;
				}
				catch (IllegalStateException ex) {
					return false;
				}
			}

			@Override
			public void remove(Thread hook) {
				try {
					Runtime.getRuntime().removeShutdownHook(hook);
				}
				catch (IllegalStateException ex) {
					// then it runs, or has run, and nobody keeps it any longer
				}
			}

		};
	}

}
