package io.leaderelection.zookeeper;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image cannot see: ZooKeeper's client makes its connection by the name of
 * a class.
 */
class ZooKeeperHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.apache.zookeeper.ClientCnxnSocketNIO",
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
	}

}
