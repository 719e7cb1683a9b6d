package io.leaderelection.etcd;

import java.util.List;

import io.leaderelection.autoconfigure.LeaderElectionBackend;

/**
 * What the etcd backend requires of the application.
 */
final class EtcdBackend implements LeaderElectionBackend {

	@Override
	public String name() {
		return "etcd";
	}

	@Override
	public String clientDependency() {
		return "io.etcd:jetcd-core";
	}

	@Override
	public List<String> requiredClasses() {
		return List.of("io.etcd.jetcd.Client");
	}

	@Override
	public List<String> beanTypes() {
		return List.of("io.etcd.jetcd.Client", "io.leaderelection.etcd.EtcdConnectionDetails");
	}

	@Override
	public String property() {
		return "leader-election.etcd.endpoints";
	}

}
