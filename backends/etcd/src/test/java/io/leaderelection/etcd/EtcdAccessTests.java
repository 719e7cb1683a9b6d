package io.leaderelection.etcd;

import java.io.InputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.auth.Permission;
import io.etcd.jetcd.Client;
import io.leaderelection.servers.EtcdServer;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Servers that want to know who asks.
 */
class EtcdAccessTests {

	private static final String PASSWORD = "for a test";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(EtcdLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=etcd");

	@Test
	void aUserLogsInAndAnotherDoesNot() throws Exception {
		try (EtcdServer server = EtcdServer.start(); Client admin = server.connect()) {
			Auth auth = admin.getAuthClient();
			auth.userAdd(Keys.bytes("root"), Keys.bytes(PASSWORD)).get(10, TimeUnit.SECONDS);
			auth.roleAdd(Keys.bytes("root")).get(10, TimeUnit.SECONDS);
			auth.userGrantRole(Keys.bytes("root"), Keys.bytes("root")).get(10, TimeUnit.SECONDS);
			auth.userAdd(Keys.bytes("app"), Keys.bytes(PASSWORD)).get(10, TimeUnit.SECONDS);
			auth.roleAdd(Keys.bytes("elections")).get(10, TimeUnit.SECONDS);
			auth.roleGrantPermission(Keys.bytes("elections"), Keys.bytes("/mine/"), Keys.bytes("/mine0"),
					Permission.Type.READWRITE)
				.get(10, TimeUnit.SECONDS);
			auth.userGrantRole(Keys.bytes("app"), Keys.bytes("elections")).get(10, TimeUnit.SECONDS);
			auth.authEnable().get(10, TimeUnit.SECONDS);
			ApplicationContextRunner application = this.contextRunner
				.withPropertyValues("leader-election.etcd.endpoints=" + server.endpoint());
			ApplicationContextRunner user = application.withPropertyValues("leader-election.etcd.user=app");
			user.withPropertyValues("leader-election.etcd.password=" + PASSWORD, "leader-election.etcd.prefix=/mine")
				.run((context) -> assertThat(grants(context.getBean(LeaseStore.class))).isTrue());
			assertRefused(user.withPropertyValues("leader-election.etcd.password=" + PASSWORD,
					"leader-election.etcd.prefix=/other"), "leader-election.etcd.prefix");
			assertRefused(user.withPropertyValues("leader-election.etcd.password=wrong"),
					"leader-election.etcd.password");
			assertRefused(application, "leader-election.etcd.user");
		}
	}

	private static void assertRefused(ApplicationContextRunner application, String property) {
		application.run((context) -> assertThatExceptionOfType(EtcdLeaseStoreException.class)
			.isThrownBy(() -> grants(context.getBean(LeaseStore.class)))
			.withMessageContaining(property));
	}

	@Test
	void aBundleSaysWhomToTrustAndWhoAsks(@TempDir Path directory) throws Exception {
		Path certificate = directory.resolve("certificate.pem");
		Path key = directory.resolve("key.pem");
		createCertificate(directory, certificate, key);
		try (EtcdServer server = EtcdServer.startWithTls(certificate, certificate, key)) {
			ApplicationContextRunner application = this.contextRunner
				.withPropertyValues("leader-election.etcd.endpoints=" + server.endpoint());
			application
				.withPropertyValues("leader-election.etcd.ssl.bundle=etcd",
						"spring.ssl.bundle.pem.etcd.truststore.certificate=file:" + certificate,
						"spring.ssl.bundle.pem.etcd.keystore.certificate=file:" + certificate,
						"spring.ssl.bundle.pem.etcd.keystore.private-key=file:" + key)
				.run((context) -> Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.ignoreExceptionsInstanceOf(EtcdLeaseStoreException.class)
					.until(() -> grants(context.getBean(LeaseStore.class))));
			assertRefused(application.withPropertyValues("leader-election.etcd.connect-timeout=1s"),
					"leader-election.etcd.endpoints");
		}
	}

	/** One certificate for all: the authority, the server and the application. */
	private static void createCertificate(Path directory, Path certificate, Path key) throws Exception {
		Path store = directory.resolve("store.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "etcd", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=etcd",
				"-ext", "san=ip:127.0.0.1", "-ext", "bc:c=ca:true", "-ext", "eku=serverAuth,clientAuth", "-storetype",
				"PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD)
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore entries = KeyStore.getInstance("PKCS12");
		try (InputStream stream = Files.newInputStream(store)) {
			entries.load(stream, PASSWORD.toCharArray());
		}
		write(certificate, "CERTIFICATE", entries.getCertificate("etcd").getEncoded());
		Key secret = entries.getKey("etcd", PASSWORD.toCharArray());
		write(key, "PRIVATE KEY", secret.getEncoded());
	}

	private static void write(Path file, String what, byte[] content) throws IOException {
		Files.writeString(file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what,
				Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(content), what));
	}

	private static boolean grants(LeaseStore store) {
		return EtcdLeaderElectionAutoConfigurationTests.grants(store);
	}

}
