package io.leaderelection.sample.launcher;

/**
 * Something did not start; the message says what, and where to read on.
 */
class StartFailedException extends Exception {

	private static final long serialVersionUID = 1L;

	StartFailedException(String message) {
		super(message);
	}

}
