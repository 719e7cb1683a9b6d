package io.leaderelection.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The way to DynamoDB: repeats what was throttled or failed on the way until its time is
 * over, and has many requests under way together, on a few threads that end when there is
 * nothing to do.
 */
final class Dynamo implements AutoCloseable {

	private static final int MOST_TOGETHER = 16;

	private static final AtomicInteger THREADS = new AtomicInteger();

	private final DynamoDbClient client;

	private final LeaseTable table;

	private final ThreadPoolExecutor threads;

	Dynamo(DynamoDbClient client, LeaseTable table) {
		this.client = client;
		this.table = table;
		this.threads = new ThreadPoolExecutor(MOST_TOGETHER, MOST_TOGETHER, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread thread = new Thread(task, "leader-election-dynamodb-" + THREADS.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		this.threads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Makes one request.
	 * @throws DynamoDbLeaseStoreException if it was refused, or failed until its time was
	 * over
	 */
	<T> T ask(Deadline deadline, Function<DynamoDbClient, T> request) {
		for (int attempts = 0;; attempts++) {
			try {
				return request.apply(this.client);
			}
			catch (SdkException ex) {
				if (!mayPass(ex) || !deadline.allowsAnother(attempts)) {
					throw DynamoDbLeaseStoreException.of(this.table, ex);
				}
			}
			catch (IllegalStateException ex) {
				throw new DynamoDbLeaseStoreException("The client of DynamoDB cannot be used: " + ex.getMessage(), ex);
			}
		}
	}

	/** Whether it is worth trying again: throttling, a server's fault, a lost packet. */
	private static boolean mayPass(SdkException ex) {
		if (ex instanceof AwsServiceException refusal) {
			return refusal.isThrottlingException() || refusal.statusCode() >= 500;
		}
		return !(ex instanceof AbortedException);
	}

	/**
	 * Makes many requests, and waits for all answers.
	 * @throws DynamoDbLeaseStoreException if there is one missing when the time is over
	 */
	<T> List<T> together(Deadline deadline, List<Supplier<T>> requests) {
		if (requests.size() == 1) {
			return List.of(requests.get(0).get());
		}
		List<Future<T>> answers = requests.stream().map((request) -> this.threads.submit(request::get)).toList();
		try {
			List<T> results = new ArrayList<>(answers.size());
			for (Future<T> answer : answers) {
				// a request ends by itself when its time is over
				results.add(answer.get(Math.max(deadline.remaining(), 0) + TimeUnit.SECONDS.toNanos(1),
						TimeUnit.NANOSECONDS));
			}
			return results;
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof DynamoDbLeaseStoreException failure) ? failure
					: new DynamoDbLeaseStoreException("A request to DynamoDB failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new DynamoDbLeaseStoreException("DynamoDB did not answer in time", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new DynamoDbLeaseStoreException("Interrupted while waiting for DynamoDB", ex);
		}
		finally {
			answers.forEach((answer) -> answer.cancel(true));
		}
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
