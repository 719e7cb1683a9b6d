package io.leaderelection.jdbc.session;

import java.sql.SQLException;

/**
 * The session that leases would be bound to has ended unnoticed, or lives on a server
 * that the data source does not lead to.
 */
final class SessionEndedException extends SQLException {

	private static final long serialVersionUID = 1L;

	private static final String CONNECTION_DOES_NOT_EXIST = "08003";

	SessionEndedException() {
		super("the session that leases are bound to has ended, or is one with another server or database than that of the DataSource",
				CONNECTION_DOES_NOT_EXIST);
	}

}
