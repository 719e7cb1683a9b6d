package io.leaderelection.etcd;

import java.util.List;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import org.jspecify.annotations.Nullable;

/**
 * What stood at a key when it was read. The value is part of it, not the revision alone:
 * revisions are counted anew after a data directory was replaced.
 *
 * @param revision the revision that wrote the value; zero if there was none
 * @param value the value
 */
record KeySnapshot(long revision, @Nullable ByteSequence value) {

	static final KeySnapshot NOTHING = new KeySnapshot(0, null);

	static KeySnapshot of(KeyValue present) {
		return new KeySnapshot(present.getModRevision(), present.getValue());
	}

	static KeySnapshot of(List<KeyValue> found) {
		return found.isEmpty() ? NOTHING : of(found.get(0));
	}

	boolean isNothing() {
		return this.value == null;
	}

	/** What is true of a key only if it still is as it was seen. */
	List<Cmp> unchanged(ByteSequence key) {
		if (this.value == null) {
			return List.of(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)));
		}
		return List.of(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(this.revision)), has(key, this.value));
	}

	static Cmp has(ByteSequence key, ByteSequence value) {
		return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(value));
	}

	static Cmp present(ByteSequence key) {
		return new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0));
	}

}
