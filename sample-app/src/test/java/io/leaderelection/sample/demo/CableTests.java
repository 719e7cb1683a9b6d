package io.leaderelection.sample.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A cable that is cut, between real sockets.
 */
@Timeout(60)
class CableTests {

	private static final Duration FOR_A_WHILE = Duration.ofSeconds(1);

	private static final int A_MOMENT = 100;

	private static final int LONG = 20_000;

	private final Cable cable = new Cable();

	private final CountDownLatch mended = new CountDownLatch(1);

	private ServerSocket listening;

	private Socket client;

	private Socket server;

	@BeforeEach
	void connect() throws IOException {
		this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		int port = this.cable.leadTo("localhost", this.listening.getLocalPort());
		this.client = new Socket(InetAddress.getLoopbackAddress(), port);
		this.server = this.listening.accept();
		this.client.setSoTimeout(LONG);
		this.server.setSoTimeout(LONG);
	}

	@AfterEach
	void disconnect() throws IOException {
		this.cable.destroy();
		this.client.close();
		this.server.close();
		this.listening.close();
	}

	@Test
	void passesBytesInBothDirections() throws IOException {
		this.client.getOutputStream().write(1);
		assertThat(this.server.getInputStream().read()).isEqualTo(1);
		this.server.getOutputStream().write(2);
		assertThat(this.client.getInputStream().read()).isEqualTo(2);
	}

	@Test
	void holdsBytesBackWhileItIsCutAndDeliversThemLater() throws Exception {
		cut();
		this.client.getOutputStream().write(1);
		this.server.getOutputStream().write(2);
		assertHearsNothing(this.server);
		assertHearsNothing(this.client);
		this.mended.await();
		assertThat(this.server.getInputStream().read()).isEqualTo(1);
		assertThat(this.client.getInputStream().read()).isEqualTo(2);
	}

	@Test
	void tellsNobodyWhoIsGoneWhileItIsCut() throws Exception {
		cut();
		this.server.close();
		assertHearsNothing(this.client);
		this.mended.await();
		assertThat(this.client.getInputStream().read()).isEqualTo(-1);
	}

	@Test
	void makesNewConnectionsWaitWhileItIsCut() throws Exception {
		cut();
		try (Socket another = new Socket(InetAddress.getLoopbackAddress(), this.client.getPort())) {
			this.listening.setSoTimeout(A_MOMENT);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(this.listening::accept);
			this.mended.await();
			this.listening.setSoTimeout(LONG);
			this.listening.accept().close();
			another.setSoTimeout(LONG);
			assertThat(another.getInputStream().read()).isEqualTo(-1);
		}
	}

	private void cut() {
		this.cable.cutFor(FOR_A_WHILE, this.mended::countDown);
		assertThat(this.cable.isCut()).isTrue();
	}

	private static void assertHearsNothing(Socket socket) throws IOException {
		socket.setSoTimeout(A_MOMENT);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
		socket.setSoTimeout(LONG);
	}

}
