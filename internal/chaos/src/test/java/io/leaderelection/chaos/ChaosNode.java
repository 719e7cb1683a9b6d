package io.leaderelection.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.leaderelection.chaos.backend.Backend;
import io.leaderelection.servers.TcpProxy;

/**
 * A node as those see it who do things to it: a process, which may be followed by
 * another, a wall clock, and what stands between it and the servers of the store.
 */
final class ChaosNode implements AutoCloseable {

	private final String name;

	private final Path directory;

	private final List<TcpProxy> links;

	private final List<String> properties;

	private final WallClock clock;

	private final List<NodeLife> lives = new ArrayList<>();

	private final Lock process = new ReentrantLock();

	private final Lock network = new ReentrantLock();

	ChaosNode(String name, Path directory, Backend backend, List<String> properties) {
		this.name = name;
		this.directory = directory;
		this.clock = new WallClock(directory.resolve(name + ".clock"));
		this.links = backend.ports().stream().map((port) -> new TcpProxy(() -> port)).toList();
		this.properties = new ArrayList<>(properties);
		this.properties.add("leader-election.node-id=" + name);
		this.properties.addAll(backend.properties(this.links));
	}

	String name() {
		return this.name;
	}

	WallClock clock() {
		return this.clock;
	}

	List<TcpProxy> links() {
		return this.links;
	}

	/** Held by whoever does something to the process. */
	Lock process() {
		return this.process;
	}

	/** Held by whoever does something to the links. */
	Lock network() {
		return this.network;
	}

	synchronized List<NodeLife> lives() {
		return List.copyOf(this.lives);
	}

	synchronized NodeLife present() {
		return this.lives.get(this.lives.size() - 1);
	}

	/** Begins another process. */
	synchronized void start() {
		String process = this.name + "." + (this.lives.size() + 1);
		this.lives.add(new NodeLife(this.name, process, this.directory.resolve(process), this.properties, this.clock));
	}

	@Override
	public void close() {
		lives().forEach(NodeLife::kill);
		for (TcpProxy link : this.links) {
			try {
				link.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
