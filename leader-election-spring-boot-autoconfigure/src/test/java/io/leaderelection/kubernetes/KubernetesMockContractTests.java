package io.leaderelection.kubernetes;

import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.leaderelection.observed.ConditionalWrite;
import io.leaderelection.observed.LeaseRecords;
import io.leaderelection.observed.ObservedLeaseStore;
import io.leaderelection.observed.Sight;
import io.leaderelection.observed.WriteResult;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract on fabric8's own mock of an API server, which refuses an update with
 * another resource version. It hangs for half a minute if a watch ends while it shows
 * something, so hints are left to {@link KubernetesApiContractTests}.
 */
class KubernetesMockContractTests extends KubernetesLeaseStoreContract {

	private static final Logger requestLog = Logger.getLogger(MockWebServer.class.getName());

	private static KubernetesMockServer server;

	private static KubernetesClient admin;

	@BeforeAll
	static void startServer() {
		requestLog.setLevel(Level.OFF);
		server = new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(),
				new KubernetesCrudDispatcher(), false);
		server.init(InetAddress.getLoopbackAddress(), 0);
		admin = EmulatedApiServer.connect(server.getPort());
	}

	@AfterAll
	static void stopServer() {
		admin.close();
		server.destroy();
	}

	@Override
	KubernetesClient connect() {
		return EmulatedApiServer.connect(server.getPort());
	}

	@Override
	LeaseStore newStore(KubernetesClient client, String prefix) {
		return new ObservedLeaseStore(
				new WithoutWatch(new LeaseObjects(client, namespace(), prefix, InstantSource.system(), client::close)));
	}

	@Override
	KubernetesClient admin() {
		return admin;
	}

	@Override
	String namespace() {
		return EmulatedApiServer.NAMESPACE;
	}

	private record WithoutWatch(LeaseRecords records) implements LeaseRecords {

		@Override
		public List<Sight> read(List<String> elections, Duration limit) {
			return this.records.read(elections, limit);
		}

		@Override
		public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
			return this.records.write(writes, limit);
		}

		@Override
		public void standBy(Owner node, Set<String> elections, Duration duration, Duration limit) {
			this.records.standBy(node, elections, duration, limit);
		}

		@Override
		public List<Owner> candidates(String election, Duration limit) {
			return this.records.candidates(election, limit);
		}

		@Override
		public void rehearse(Owner owner) {
			this.records.rehearse(owner);
		}

		@Override
		public void close() {
			this.records.close();
		}

	}

}
