package io.leaderelection.crac;

/**
 * What the API of CRaC looks for beside {@link Core}; never thrown.
 */
public class CheckpointException extends Exception {

	private static final long serialVersionUID = 1L;

}
