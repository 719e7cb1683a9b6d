package io.leaderelection.sample.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * What this node is connected to its store and its database by. While it is cut, nothing
 * gets through in either direction, and no connection is closed: neither side is told.
 * What was sent meanwhile arrives when it is mended.
 */
@Component
@ConditionalOnBooleanProperty("demo.controls.enabled")
class Cable implements DisposableBean {

	private final List<Relay> relays = new ArrayList<>();

	private boolean cut;

	/**
	 * Leads a connection through this cable.
	 * @param host the server's host
	 * @param port the server's port
	 * @return the port on this machine to connect to instead
	 */
	int leadTo(String host, int port) {
		Relay relay = new Relay(this, host, port);
		this.relays.add(relay);
		return relay.port();
	}

	/** Cuts it, and mends it later. */
	void cutFor(Duration duration, Runnable mended) {
		set(true);
		CompletableFuture.delayedExecutor(duration.toMillis(), TimeUnit.MILLISECONDS).execute(() -> {
			set(false);
			mended.run();
		});
	}

	private synchronized void set(boolean cut) {
		this.cut = cut;
		notifyAll();
	}

	synchronized boolean isCut() {
		return this.cut;
	}

	boolean leadsAnywhere() {
		return !this.relays.isEmpty();
	}

	synchronized void awaitMended() throws InterruptedException {
		while (this.cut) {
			wait();
		}
	}

	@Override
	public void destroy() {
		set(false);
		this.relays.forEach(Relay::close);
	}

}
