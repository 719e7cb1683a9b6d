package io.leaderelection.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.function.IntSupplier;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.servers.TcpProxy;
import org.apache.curator.framework.CuratorFramework;

/**
 * A node with a real engine, whose way to the server goes through a proxy of its own.
 */
final class TestNode implements AutoCloseable {

	private final TcpProxy proxy;

	private final CuratorFramework client;

	private final LeaderElections elections;

	TestNode(String nodeId, IntSupplier serverPort, String rootPath, Duration lease) {
		this.proxy = new TcpProxy(serverPort);
		this.client = Clients.started(this.proxy.connectString(), lease.multipliedBy(3).dividedBy(2));
		this.elections = LeaderElections.on(Clients.store(this.client, rootPath))
			.nodeId(nodeId)
			.settings(ElectionSettings.ofLease(lease))
			.build();
	}

	TestNode standing(String... elections) {
		for (String election : elections) {
			elector(election);
		}
		this.elections.start();
		return this;
	}

	TcpProxy proxy() {
		return this.proxy;
	}

	CuratorFramework client() {
		return this.client;
	}

	LeaderElections elections() {
		return this.elections;
	}

	LeaderElector elector(String election) {
		return this.elections.elector(election);
	}

	boolean leads(String election) {
		return elector(election).isLeader();
	}

	long token(String election) {
		return elector(election).fencingToken().orElseThrow().value();
	}

	@Override
	public void close() throws IOException {
		this.proxy.forward();
		this.elections.close();
		this.client.close();
		this.proxy.close();
	}

}
