package io.leaderelection.redis;

import io.leaderelection.servers.TcpProxy;

class SwallowedLettuceLeaderTests extends SwallowedRedisLeaderContract {

	SwallowedLettuceLeaderTests() {
		super("lettuce");
	}

	/** Lettuce gives a connection up only when the operating system does. */
	@Override
	protected void mend(TcpProxy proxy) {
		proxy.forward();
	}

}
