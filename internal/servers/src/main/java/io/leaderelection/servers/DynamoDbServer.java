package io.leaderelection.servers;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Amazon's emulator, in this process and in memory: one for all tests of a process.
 */
public final class DynamoDbServer {

	public static final String TABLE = "leader-election";

	public static final String KEY = "id";

	private static final DynamoDbServer INSTANCE = new DynamoDbServer();

	private final int port;

	private final DynamoDbClient admin;

	private DynamoDbServer() {
		LoggingSystem logging = LoggingSystem.get(DynamoDbServer.class.getClassLoader());
		List.of("com.amazonaws", "com.almworks", "org.eclipse.jetty", "org.apache.http", "software.amazon")
			.forEach((name) -> logging.setLogLevel(name, LogLevel.ERROR));
		logging.setLogLevel("com.amazonaws.services.dynamodbv2.local.server", LogLevel.OFF);
		System.setProperty("sqlite4java.library.path", library().getParent().toString());
		try {
			try (ServerSocket free = new ServerSocket(0)) {
				this.port = free.getLocalPort();
			}
			DynamoDBProxyServer server = new DynamoDBProxyServer(this.port,
					new LocalDynamoDBServerHandler(new LocalDynamoDBRequestHandler(0, true, null, true, false), null));
			server.start();
			TestedServers.report("DynamoDB Local", jarOf(DynamoDBProxyServer.class));
		}
		catch (Exception ex) {
			throw new IllegalStateException("DynamoDB Local does not start", ex);
		}
		this.admin = connect(this.port);
		createTable(TABLE, KEY, ScalarAttributeType.S);
	}

	private static String jarOf(Class<?> type) {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getFileName().toString();
	}

	/**
	 * It comes as a file beside the jar that needs it, in Maven's repository and in
	 * Gradle's.
	 */
	private static Path library() {
		try {
			Path directory = Path.of(Class.forName("com.almworks.sqlite4java.SQLite")
				.getProtectionDomain()
				.getCodeSource()
				.getLocation()
				.toURI());
			for (int level = 1; level <= 4; level++) {
				directory = directory.getParent();
				try (Stream<Path> found = Files.find(directory, 4,
						(path, file) -> path.getFileName().toString().startsWith("libsqlite4java-linux-amd64")
								&& path.toString().endsWith(".so"))) {
					Optional<Path> library = found.findFirst();
					if (library.isPresent()) {
						return library.get();
					}
				}
			}
		}
		catch (IOException | URISyntaxException | ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
		throw new IllegalStateException("DynamoDB Local came without its library");
	}

	public static DynamoDbServer get() {
		return INSTANCE;
	}

	public int port() {
		return this.port;
	}

	public URI endpoint() {
		return endpoint(this.port);
	}

	public static URI endpoint(int port) {
		return URI.create("http://127.0.0.1:" + port);
	}

	/** A client that goes past the stores. */
	public DynamoDbClient admin() {
		return this.admin;
	}

	public DynamoDbClient connect(ExecutionInterceptor... interceptors) {
		return connect(this.port, interceptors);
	}

	public static DynamoDbClient connect(int port, ExecutionInterceptor... interceptors) {
		return DynamoDbClient.builder()
			.region(Region.EU_CENTRAL_1)
			.endpointOverride(endpoint(port))
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "thing")))
			.overrideConfiguration((settings) -> settings.executionInterceptors(List.of(interceptors)))
			.build();
	}

	public void createTable(String name, String key, ScalarAttributeType type) {
		this.admin.createTable((request) -> request.tableName(name)
			.keySchema(KeySchemaElement.builder().attributeName(key).keyType(KeyType.HASH).build())
			.attributeDefinitions(AttributeDefinition.builder().attributeName(key).attributeType(type).build())
			.billingMode(BillingMode.PAY_PER_REQUEST));
	}

	/** Deletes all items whose keys begin like that. */
	public void deleteAll(String prefix) {
		this.admin
			.scanPaginator((request) -> request.tableName(TABLE)
				.consistentRead(true)
				.filterExpression("begins_with(#key, :prefix)")
				.expressionAttributeNames(Map.of("#key", KEY))
				.expressionAttributeValues(Map.of(":prefix", AttributeValue.fromS(prefix))))
			.items()
			.forEach((item) -> this.admin
				.deleteItem((request) -> request.tableName(TABLE).key(Map.of(KEY, item.get(KEY)))));
	}

}
