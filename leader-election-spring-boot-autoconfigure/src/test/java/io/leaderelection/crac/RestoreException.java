package io.leaderelection.crac;

/**
 * What the API of CRaC looks for beside {@link Core}; never thrown.
 */
public class RestoreException extends Exception {

	private static final long serialVersionUID = 1L;

}
