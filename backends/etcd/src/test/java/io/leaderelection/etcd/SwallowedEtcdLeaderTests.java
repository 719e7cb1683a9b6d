package io.leaderelection.etcd;

import java.net.URI;
import java.util.List;
import java.util.UUID;

import io.leaderelection.nodes.SwallowedLeaderContract;
import io.leaderelection.servers.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SwallowedEtcdLeaderTests extends SwallowedLeaderContract {

	private static EtcdServer server;

	private final String prefix = "/" + UUID.randomUUID();

	@BeforeAll
	static void startServer() {
		server = EtcdServer.start();
	}

	@AfterAll
	static void stopServer() {
		if (server != null) {
			server.close();
		}
	}

	@Override
	protected int serverPort() {
		return URI.create(server.endpoint()).getPort();
	}

	@Override
	protected List<String> properties(int port) {
		return List.of("leader-election.backend=etcd", "leader-election.etcd.endpoints=http://127.0.0.1:" + port,
				"leader-election.etcd.prefix=" + this.prefix);
	}

}
