package io.leaderelection.sample.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Ends this process with the one that started it, however that one ended: the operating
 * system closes the pipe that is this one's standard input.
 */
@Component
@ConditionalOnBooleanProperty("demo.exit-with-parent")
class ParentWatch implements InitializingBean {

	private static final Log logger = LogFactory.getLog(ParentWatch.class);

	@Override
	public void afterPropertiesSet() {
		Thread thread = new Thread(() -> awaitEnd(System.in), "parent watch");
		thread.setDaemon(true);
		thread.start();
	}

	private static void awaitEnd(InputStream input) {
		try {
			input.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			logger.warn("Nothing can be read from whoever started this process", ex);
		}
		Runtime.getRuntime().halt(0);
	}

}
