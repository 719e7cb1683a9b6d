package io.leaderelection.actuate;

import org.springframework.boot.WebApplicationType;

/**
 * The endpoint on Tomcat.
 */
class LeaderEndpointServletTests extends LeaderEndpointHttpContract {

	LeaderEndpointServletTests() {
		super(WebApplicationType.SERVLET);
	}

}
