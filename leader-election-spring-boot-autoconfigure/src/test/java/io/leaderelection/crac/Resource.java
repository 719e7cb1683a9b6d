package io.leaderelection.crac;

/**
 * Told of checkpoints.
 */
public interface Resource {

	void beforeCheckpoint(Context<? extends Resource> context) throws Exception;

	void afterRestore(Context<? extends Resource> context) throws Exception;

}
