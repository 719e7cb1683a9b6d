package io.leaderelection.etcd;

import io.etcd.jetcd.Client;
import io.leaderelection.servers.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract on one server from the PATH.
 */
class EtcdLeaseStoreContractTests extends EtcdLeaseStoreContract {

	private static EtcdServer server;

	private static Client admin;

	@BeforeAll
	static void startServer() {
		server = EtcdServer.start();
		admin = server.connect();
	}

	@AfterAll
	static void stopServer() {
		if (server != null) {
			admin.close();
			server.close();
		}
	}

	@Override
	String endpoint() {
		return server.endpoint();
	}

	@Override
	Client admin() {
		return admin;
	}

	@Override
	protected void restartServer() {
		server.kill();
		server.startAgain();
	}

	@Override
	protected void pauseServer() {
		server.pause();
	}

	@Override
	protected void resumeServer() {
		server.resume();
	}

}
