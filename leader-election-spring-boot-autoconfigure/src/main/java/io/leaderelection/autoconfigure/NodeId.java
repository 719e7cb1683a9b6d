package io.leaderelection.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;

import io.leaderelection.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Names the node, so that people can tell it from others.
 */
final class NodeId {

	private static final String PROPERTY = LeaderElectionProperties.PREFIX + ".node-id";

	private static final int LONGEST_HOST = Names.MAX_LENGTH - 20;

	private static final int RANDOM_CHARACTERS = 5;

	private NodeId() {
	}

	/**
	 * The id that is configured, or a new one.
	 * @param configured the value of the property
	 * @param environment where the name of the host may be
	 * @return the id
	 */
	static String of(@Nullable String configured, Environment environment) {
		if (configured == null) {
			String host = host(environment);
			return host.substring(0, Math.min(host.length(), LONGEST_HOST)) + "-" + randomPart();
		}
		// a placeholder that cannot be resolved is left as it is, and alike on all nodes
		if (configured.contains("${")) {
			throw new InvalidConfigurationPropertyValueException(PROPERTY, configured,
					"It contains a placeholder that could not be resolved.");
		}
		try {
			return Names.requireValid(PROPERTY, configured);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(PROPERTY, configured,
					ex.getMessage() + ". Leave it out for the host name and a random part.");
		}
	}

	private static String host(Environment environment) {
		for (String variable : new String[] { "HOSTNAME", "COMPUTERNAME" }) {
			String name = environment.getProperty(variable);
			if (StringUtils.hasText(name)) {
				return name;
			}
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			// the random part tells nodes apart all the same
			return "unknown-host";
		}
	}

	private static String randomPart() {
		SecureRandom random = new SecureRandom();
		StringBuilder part = new StringBuilder();
		while (part.length() < RANDOM_CHARACTERS) {
			part.append(Character.forDigit(random.nextInt(Character.MAX_RADIX), Character.MAX_RADIX));
		}
		return part.toString();
	}

}
