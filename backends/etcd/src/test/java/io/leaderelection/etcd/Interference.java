package io.leaderelection.etcd;

import java.util.concurrent.atomic.AtomicReference;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.Client;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.leaderelection.servers.EtcdServer;

/**
 * Does something in the moment before a client sends a write, or keeps the answer from
 * it.
 */
final class Interference implements ClientInterceptor {

	private final AtomicReference<Runnable> beforeNextWrite = new AtomicReference<>();

	private volatile boolean swallowing;

	Client connect(EtcdServer server) {
		return Client.builder().endpoints(server.endpoint()).waitForReady(false).interceptor(this).build();
	}

	/** Has something done once, between the look and the write that follows it. */
	void beforeNextWrite(Runnable action) {
		this.beforeNextWrite.set(action);
	}

	/** Lets the answers to writes get lost. */
	void swallowAnswers(boolean swallow) {
		this.swallowing = swallow;
	}

	@Override
	public <S, T> ClientCall<S, T> interceptCall(MethodDescriptor<S, T> method, CallOptions options, Channel next) {
		return new SimpleForwardingClientCall<>(next.newCall(method, options)) {

			private volatile boolean swallowed;

			@Override
			public void start(Listener<T> listener, Metadata headers) {
				super.start(new SimpleForwardingClientCallListener<>(listener) {

					@Override
					public void onMessage(T message) {
						if (!swallowed) {
							super.onMessage(message);
						}
					}

					@Override
					public void onClose(io.grpc.Status status, Metadata trailers) {
						if (!swallowed) {
							super.onClose(status, trailers);
						}
					}

				}, headers);
			}

			@Override
			public void sendMessage(S message) {
				if (message instanceof TxnRequest transaction && isWrite(transaction)) {
					Runnable action = Interference.this.beforeNextWrite.getAndSet(null);
					if (action != null) {
						action.run();
					}
					this.swallowed = Interference.this.swallowing;
				}
				super.sendMessage(message);
			}

		};
	}

	private static boolean isWrite(TxnRequest transaction) {
		return transaction.getCompareCount() > 0
				|| transaction.getSuccessList().stream().anyMatch((operation) -> !operation.hasRequestRange());
	}

}
