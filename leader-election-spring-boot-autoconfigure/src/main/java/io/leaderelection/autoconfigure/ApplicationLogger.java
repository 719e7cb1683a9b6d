package io.leaderelection.autoconfigure;

import java.text.MessageFormat;
import java.util.ResourceBundle;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Lets the engine log where Spring logs. The platform's own logger is
 * {@code java.util.logging}, which closes its handlers as soon as the process is told to
 * end, before the last leadership has ended.
 */
final class ApplicationLogger implements System.Logger {

	private final String name;

	private final Log log;

	ApplicationLogger(String name) {
		this.name = name;
		this.log = LogFactory.getLog(name);
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public boolean isLoggable(Level level) {
		return switch (level) {
			case ALL, TRACE -> this.log.isTraceEnabled();
			case DEBUG -> this.log.isDebugEnabled();
			case INFO -> this.log.isInfoEnabled();
			case WARNING -> this.log.isWarnEnabled();
			case ERROR -> this.log.isErrorEnabled();
			case OFF -> false;
		};
	}

	@Override
	public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String message,
			@Nullable Throwable thrown) {
		String text = localized(bundle, message);
		switch (level) {
			case ALL, TRACE -> this.log.trace(text, thrown);
			case DEBUG -> this.log.debug(text, thrown);
			case INFO -> this.log.info(text, thrown);
			case WARNING -> this.log.warn(text, thrown);
			case ERROR -> this.log.error(text, thrown);
			case OFF -> {
			}
		}
	}

	@Override
	public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... params) {
		if (isLoggable(level)) {
			String text = localized(bundle, format);
			boolean plain = text == null || params == null || params.length == 0;
			log(level, null, plain ? text : MessageFormat.format(text, params), (Throwable) null);
		}
	}

	private static @Nullable String localized(@Nullable ResourceBundle bundle, @Nullable String key) {
		return (bundle != null && key != null && bundle.containsKey(key)) ? bundle.getString(key) : key;
	}

}
