package io.leaderelection.sample.launcher;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.springframework.util.FileSystemUtils;

/**
 * Starts the nodes, starts those again that end, and ends all of them with itself. Should
 * this process be killed, the nodes notice that their standard input has ended.
 */
public final class Launcher implements AutoCloseable {

	/** Long enough to watch another node take over. */
	private static final Duration RESTART_AFTER = Duration.ofSeconds(8);

	/**
	 * Who presses Ctrl-C ends the nodes, too, also those about to start, and needs no
	 * list of them.
	 */
	private static final Duration BEFORE_TELLING = Duration.ofMillis(500);

	private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

	private final Options options;

	private final PrintStream out;

	private final List<ChildProcess> children = new ArrayList<>();

	private final ScheduledExecutorService restarts;

	private final LedgerDatabase database;

	private final CountDownLatch stop = new CountDownLatch(1);

	Launcher(Options options, PrintStream out) {
		this.options = options;
		this.out = out;
		this.restarts = Executors.newScheduledThreadPool(options.nodes());
		this.database = new LedgerDatabase(options.directory().resolve("database"));
	}

	/**
	 * Runs until this process is asked to end.
	 * @param args see {@link Options}
	 */
	public static void main(String[] args) throws Exception {
		Launcher launcher = new Launcher(Options.parse(args), System.out);
		Runtime.getRuntime().addShutdownHook(new Thread(launcher::close, "stop"));
		try {
			launcher.start();
		}
		catch (StartFailedException ex) {
			if (!launcher.stopsWithin(BEFORE_TELLING)) {
				System.err.println(ex.getMessage());
				System.exit(1);
			}
		}
		// a signal ends this, and its number is the exit code
		new CountDownLatch(1).await();
	}

	/** Returns when all nodes answer. The first one creates the tables. */
	void start() throws Exception {
		FileSystemUtils.deleteRecursively(this.options.directory());
		Files.createDirectories(this.options.directory());
		NodeCommand command = new NodeCommand(this.options, this.database.start(), startStore(), RESTART_AFTER);
		this.out.printf("Starting %d nodes; their logs are in %s%n", this.options.nodes(),
				Path.of("").toAbsolutePath().relativize(this.options.directory()));
		List<NodeProcess> nodes = new ArrayList<>();
		for (URI address : this.options.addresses()) {
			NodeProcess node = new NodeProcess(command.nodeId(address), address, command.of(address),
					this.options.directory());
			nodes.add(node);
		}
		start(nodes.get(0));
		announce(nodes.get(0));
		List<NodeProcess> others = nodes.subList(1, nodes.size());
		for (NodeProcess node : others) {
			start(node);
		}
		for (NodeProcess node : others) {
			announce(node);
		}
		this.out.println("Open any of these pages. Ctrl-C ends all of it.");
	}

	private String startStore() throws Exception {
		if (this.options.backend() == Options.Backend.H2) {
			return "";
		}
		if (this.options.address().isPresent()) {
			return this.options.address().get();
		}
		String name = this.options.backend().name().toLowerCase(Locale.ROOT);
		StoreServer server = new StoreServer(name, this.options.serverJar().orElseThrow(), this.options.directory());
		add(server);
		String address = server.start();
		this.out.printf("Started a server for %s at %s%n", name, address);
		return address;
	}

	private void announce(NodeProcess node) throws StartFailedException {
		node.awaitAnswer();
		this.out.printf("  %s  %s/%n", node.name(), node.address());
	}

	private void start(NodeProcess node) throws StartFailedException {
		if (add(node)) {
			node.launch().thenRun(() -> ended(node));
		}
	}

	/** Answers no if there is no point in starting it any more. */
	private synchronized boolean add(ChildProcess child) {
		if (!isStopping() && !this.children.contains(child)) {
			this.children.add(child);
		}
		return !isStopping();
	}

	private boolean isStopping() {
		return this.stop.getCount() == 0;
	}

	private boolean stopsWithin(Duration patience) throws InterruptedException {
		return this.stop.await(patience.toMillis(), TimeUnit.MILLISECONDS);
	}

	private synchronized void ended(NodeProcess node) {
		if (!isStopping()) {
			later(BEFORE_TELLING, () -> this.out.printf("  %s has ended, and is started again in %d s%n", node.name(),
					RESTART_AFTER.toSeconds()));
			later(RESTART_AFTER, () -> startAgain(node));
		}
	}

	private void startAgain(NodeProcess node) {
		try {
			start(node);
			node.awaitAnswer();
			this.out.printf("  %s is back%n", node.name());
		}
		catch (StartFailedException ex) {
			this.out.println(ex.getMessage());
		}
	}

	private void later(Duration delay, Runnable task) {
		this.restarts.schedule(() -> {
			if (!isStopping()) {
				task.run();
			}
		}, delay.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void close() {
		List<ChildProcess> running;
		synchronized (this) {
			this.stop.countDown();
			running = List.copyOf(this.children);
		}
		this.restarts.shutdownNow();
		// the nodes first, since they hand over in their store
		List<ChildProcess> nodes = running.stream().filter(NodeProcess.class::isInstance).toList();
		nodes.forEach(ChildProcess::askToEnd);
		nodes.forEach((node) -> node.end(TIME_TO_STOP));
		running.stream().filter((child) -> !nodes.contains(child)).forEach((child) -> {
			child.askToEnd();
			child.end(TIME_TO_STOP);
		});
		this.database.stop();
	}

}
