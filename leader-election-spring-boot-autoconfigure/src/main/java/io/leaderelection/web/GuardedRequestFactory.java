package io.leaderelection.web;

import java.io.IOException;
import java.net.URI;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Makes requests to hosts that are sent tokens with a factory that follows no redirects.
 */
record GuardedRequestFactory(TokenHosts hosts, ClientHttpRequestFactory configured,
		ClientHttpRequestFactory notFollowing) implements ClientHttpRequestFactory, DisposableBean {

	@Override
	public ClientHttpRequest createRequest(URI uri, HttpMethod method) throws IOException {
		return (this.hosts.contains(uri) ? this.notFollowing : this.configured).createRequest(uri, method);
	}

	@Override
	public void destroy() throws Exception {
		for (ClientHttpRequestFactory factory : new ClientHttpRequestFactory[] { this.configured, this.notFollowing }) {
			if (factory instanceof DisposableBean disposable) {
				disposable.destroy();
			}
		}
	}

}
