package io.leaderelection.kubernetes;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * Requests about Leases, sent without waiting, each exactly once and exactly as it is.
 *
 * <p>
 * The client's own operations do more: {@code replace} writes over whatever there is when
 * it meets a conflict, {@code update} takes the present version where it is given none,
 * and both repeat themselves for longer than a lease lasts. So only the client's
 * connection and its way to log in are used.
 */
class ApiServer {

	private static final String JSON = "application/json";

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private final HttpClient http;

	private final KubernetesSerialization serialization;

	private final String leases;

	private final String pods;

	ApiServer(KubernetesClient client, String namespace) {
		this.http = client.getHttpClient().newBuilder().tag(once()).build();
		this.serialization = client.getKubernetesSerialization();
		String server = client.getConfiguration().getMasterUrl();
		server = server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
		this.leases = "%s/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(server, encode(namespace));
		this.pods = "%s/api/v1/namespaces/%s/pods".formatted(server, encode(namespace));
	}

	/** The client repeats requests on its own otherwise, ten times by default. */
	static RequestConfig once() {
		return new RequestConfigBuilder().withRequestRetryBackoffLimit(0).withWatchReconnectLimit(0).build();
	}

	CompletableFuture<Answer> get(String name, Duration limit) {
		return send(request(this.leases + "/" + name), limit);
	}

	/**
	 * Lists Leases as they are now: without a resource version, the API server asks a
	 * quorum.
	 */
	CompletableFuture<Answer> list(String labelSelector, Duration limit) {
		return send(request(this.leases + "?labelSelector=" + encode(labelSelector)), limit);
	}

	/** The version that a watch may begin with, and hardly anything else. */
	CompletableFuture<Answer> version(String labelSelector, Duration limit) {
		return send(request(this.leases + "?limit=1&labelSelector=" + encode(labelSelector)), limit);
	}

	CompletableFuture<Answer> create(Lease lease, Duration limit) {
		return send(request(this.leases).post(JSON, this.serialization.asJson(lease)), limit);
	}

	/** Replaces a Lease, if it still has the version that it is given with. */
	CompletableFuture<Answer> replace(Lease lease, Duration limit) {
		if (lease.getMetadata().getResourceVersion() == null || lease.getMetadata().getUid() == null) {
			throw new IllegalArgumentException("A Lease without a version would be written over whatever there is");
		}
		String uri = this.leases + "/" + lease.getMetadata().getName();
		return send(request(uri).put(JSON, this.serialization.asJson(lease)), limit);
	}

	CompletableFuture<Answer> patch(String name, Object patch, Duration limit) {
		return send(request(this.leases + "/" + name).patch(MERGE_PATCH, this.serialization.asJson(patch)), limit);
	}

	CompletableFuture<Answer> patchPod(String name, Object patch, Duration limit) {
		String uri = this.pods + "/" + encode(name);
		return send(request(uri).patch(MERGE_PATCH, this.serialization.asJson(patch)), limit);
	}

	private HttpRequest.Builder request(String uri) {
		return this.http.newHttpRequestBuilder().uri(uri);
	}

	private CompletableFuture<Answer> send(HttpRequest.Builder request, Duration limit) {
		HttpRequest built = request.timeout(Math.max(limit.toMillis(), 1), TimeUnit.MILLISECONDS).build();
		return this.http.sendAsync(built, String.class).thenApply((response) -> new Answer(built, response));
	}

	/** Waits for an answer, whatever it is. */
	static <T> T await(CompletableFuture<T> answer, Duration limit) {
		try {
			return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			answer.cancel(true);
			Thread.currentThread().interrupt();
			throw new KubernetesLeaseStoreException("Interrupted while waiting for the API server", ex);
		}
		catch (TimeoutException ex) {
			answer.cancel(true);
			throw new KubernetesLeaseStoreException(
					"The API server did not answer within %d ms".formatted(limit.toMillis()), ex);
		}
		catch (ExecutionException ex) {
			throw unreachable(ex.getCause());
		}
	}

	static KubernetesLeaseStoreException unreachable(Throwable cause) {
		return new KubernetesLeaseStoreException("The API server cannot be reached (%s)".formatted(cause), cause);
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	/**
	 * What the API server answered.
	 */
	final class Answer {

		private final HttpRequest request;

		private final int code;

		private final String body;

		private Answer(HttpRequest request, HttpResponse<String> response) {
			this.request = request;
			this.code = response.code();
			this.body = (response.body() != null) ? response.body() : "";
		}

		boolean isOk() {
			return HttpResponse.isSuccessful(this.code);
		}

		boolean isNotFound() {
			return this.code == 404;
		}

		/** It is not as it was seen. That is an answer, and no failure. */
		boolean isConflict() {
			return this.code == 409;
		}

		/** The server is too busy, or not ready: it may do so in a moment. */
		boolean isRefusedForTheMoment() {
			return this.code == 429 || this.code >= 500;
		}

		Lease lease() {
			return read(Lease.class);
		}

		LeaseList leases() {
			return read(LeaseList.class);
		}

		private <T> T read(Class<T> type) {
			if (!isOk()) {
				throw failure();
			}
			try {
				return ApiServer.this.serialization.unmarshal(this.body, type);
			}
			catch (RuntimeException ex) {
				throw new KubernetesLeaseStoreException(
						"The API server's answer to %s cannot be read".formatted(described()), ex);
			}
		}

		KubernetesLeaseStoreException failure() {
			String said = "The API server answered %s with %d%s".formatted(described(), this.code, message());
			return switch (this.code) {
				case 401 -> new KubernetesLeaseStoreException(said,
						"it does not know this application: check the token of the service account, or the user of KUBECONFIG");
				case 403 -> new KubernetesLeaseStoreException(said,
						"give the service account a role with the verbs get, list, watch, create, update and patch "
								+ "on leases of coordination.k8s.io in this namespace");
				case 404 -> new KubernetesLeaseStoreException(said,
						"check 'leader-election.kubernetes.namespace', and that the server has coordination.k8s.io/v1");
				default -> new KubernetesLeaseStoreException(said);
			};
		}

		private String described() {
			return "%s %s".formatted(this.request.method(), this.request.uri().getPath());
		}

		private String message() {
			try {
				Status status = ApiServer.this.serialization.unmarshal(this.body, Status.class);
				return (status != null && status.getMessage() != null) ? " (" + status.getMessage() + ")" : "";
			}
			catch (RuntimeException ex) {
				return "";
			}
		}

	}

}
