package io.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.common.PathUtils;

/**
 * Where the store keeps what:
 *
 * <pre>
 * root/elections/{election}                 the record, stays for ever
 * root/elections/{election}/{candidate}     ephemeral and sequential, one per candidate
 * root/sessions/{session}                   ephemeral; each write is a proof of life
 * </pre>
 */
final class Tree {

	private final String root;

	Tree(String namespace, String rootPath) {
		PathUtils.validatePath(rootPath);
		String below = rootPath.equals("/") ? "" : rootPath;
		this.root = namespace.isEmpty() ? below : "/" + namespace + below;
	}

	String session(long id) {
		return this.root + "/sessions/" + "%016x".formatted(id);
	}

	String election(String name) {
		return this.root + "/elections/" + NodeNames.encode(name);
	}

	/** All nodes above, from the top. */
	static List<String> parents(String path) {
		List<String> parents = new ArrayList<>();
		for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
			parents.add(path.substring(0, slash));
		}
		return parents;
	}

}
