package io.leaderelection.jdbc;

import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;

/**
 * Checks that tables are to be created, for leases and for fences alike.
 */
class OnSchemaInitializationCondition extends OnDatabaseInitializationCondition {

	OnSchemaInitializationCondition() {
		super("Leader Election", "leader-election.jdbc.initialize-schema");
	}

}
