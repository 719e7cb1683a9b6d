package io.leaderelection.crac;

/**
 * Does to an application what a JVM does that can be saved and brought back, save for
 * saving it. {@code org.crac} finds it by the property {@code org.crac.Core.Compat}.
 */
public final class Core {

	private static final Context<Resource> CONTEXT = new Context<>();

	private static Runnable whileSaved = () -> {
	};

	private Core() {
	}

	public static Context<Resource> getGlobalContext() {
		return CONTEXT;
	}

	/** Sets what happens in the world between checkpoint and restore. */
	public static void whileSaved(Runnable action) {
		whileSaved = action;
	}

	public static void checkpointRestore() throws Exception {
		CONTEXT.beforeCheckpoint();
		whileSaved.run();
		CONTEXT.afterRestore();
	}

}
