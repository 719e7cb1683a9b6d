package io.leaderelection.etcd;

import java.util.UUID;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;

/**
 * What this node's proofs of life are written to. The key is created once, in
 * {@link Sessions}, and written only while it is there. So a proof of life that is gone
 * stays gone, and nobody who finds none can have missed one.
 *
 * @param id names the session in records
 * @param key the key of the proofs of life
 * @param etcdLease what the key, and those of candidates, are deleted with
 */
record Session(String id, ByteSequence key, long etcdLease) {

	static Session of(Keys keys, long etcdLease) {
		String id = UUID.randomUUID().toString();
		return new Session(id, keys.proof(id), etcdLease);
	}

	/** True as long as the session lasts. */
	Cmp lasts() {
		return Seen.present(this.key);
	}

	/** The write that shows to all others that this node lives: no two are the same. */
	Op proofOfLife() {
		return attached(this.key, Keys.bytes(UUID.randomUUID().toString()));
	}

	/** Writes a key that ends with the session. */
	Op attached(ByteSequence key, ByteSequence value) {
		return Op.put(key, value, PutOption.builder().withLeaseId(this.etcdLease).build());
	}

}
