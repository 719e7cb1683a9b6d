package io.leaderelection.etcd;

import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told of a failure: what to change, where that is known.
 */
class EtcdFailureTests {

	@ParameterizedTest
	@CsvSource({ "PERMISSION_DENIED, etcdserver: permission denied, 'leader-election.etcd.prefix'",
			"UNAUTHENTICATED, etcdserver: invalid auth token, 'leader-election.etcd.password'",
			"INVALID_ARGUMENT, etcdserver: user name is empty, 'leader-election.etcd.user'",
			"INVALID_ARGUMENT, etcdserver: authentication failed, 'leader-election.etcd.user'",
			"INVALID_ARGUMENT, etcdserver: duplicate key given, etcd refused: etcdserver: duplicate key given",
			"UNAVAILABLE, io exception, 'leader-election.etcd.endpoints'",
			"NOT_FOUND, etcdserver: requested lease not found, The session with etcd has ended",
			"DATA_LOSS, etcdserver: corrupt cluster, etcd failed: DATA_LOSS etcdserver: corrupt cluster" })
	void anAnswerIsExplained(Status.Code code, String said, String explanation) {
		assertThat(Etcd.failure(code.toStatus().withDescription(said).asRuntimeException())).hasMessageContaining(said)
			.hasMessageContaining(explanation);
	}

}
