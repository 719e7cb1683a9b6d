package io.leaderelection.actuate;

import org.springframework.boot.WebApplicationType;

/**
 * The endpoint on Netty.
 */
class LeaderEndpointReactiveTests extends LeaderEndpointHttpContract {

	LeaderEndpointReactiveTests() {
		super(WebApplicationType.REACTIVE);
	}

}
