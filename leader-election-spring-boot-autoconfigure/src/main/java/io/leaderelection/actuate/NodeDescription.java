package io.leaderelection.actuate;

import java.util.List;
import java.util.Map;

/**
 * This node and its elections.
 *
 * @param nodeId this node
 * @param backend what decides the elections
 * @param elections each election by its name
 */
record NodeDescription(String nodeId, Backend backend, Map<String, ElectionDescription> elections) {

	/**
	 * What decides the elections.
	 *
	 * @param name the backend's name
	 * @param limits what it cannot promise
	 */
	public record Backend(String name, List<String> limits) {
	}

}
