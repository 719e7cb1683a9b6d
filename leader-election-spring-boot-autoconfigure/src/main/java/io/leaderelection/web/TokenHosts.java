package io.leaderelection.web;

import java.net.IDN;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The hosts that may be sent a token.
 */
final class TokenHosts {

	static final String PROPERTY = "leader-election.web.client.token-hosts";

	private static final String LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?";

	private static final Pattern ENTRY = Pattern
		.compile("(?:(?<wildcard>\\*\\.)?(?<name>%1$s(?:\\.%1$s)*)\\.?".formatted(LABEL)
				+ "|(?<address>\\[[0-9A-Fa-f:.]+]))(?::(?<port>[0-9]{1,5}))?");

	private static final int ANY_PORT = -1;

	private final List<Entry> entries;

	private TokenHosts(List<Entry> entries) {
		this.entries = entries;
	}

	/**
	 * Reads the list.
	 * @param hosts the list
	 * @param asOne whether it is the value of one property, separated by commas, and not
	 * of one property for each host; the report of a failure finds it by that
	 * @return the hosts
	 */
	static TokenHosts of(List<String> hosts, boolean asOne) {
		List<Entry> entries = new ArrayList<>();
		for (int i = 0; i < hosts.size(); i++) {
			entries.add(entry(asOne ? PROPERTY : "%s[%d]".formatted(PROPERTY, i), hosts.get(i)));
		}
		return new TokenHosts(List.copyOf(entries));
	}

	private static Entry entry(String property, String value) {
		Matcher matcher = ENTRY.matcher(value);
		if (!matcher.matches()) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"It must be a host alone, without scheme or path, as in api.internal, *.example.org, "
							+ "api.internal:8443 or [::1].");
		}
		int port = (matcher.group("port") != null) ? Integer.parseInt(matcher.group("port")) : ANY_PORT;
		if (port == 0 || port > 65535) {
			throw new InvalidConfigurationPropertyValueException(property, value, "The port must be from 1 to 65535.");
		}
		if (matcher.group("address") != null) {
			return new Entry(matcher.group("address").toLowerCase(Locale.ROOT), false, port);
		}
		try {
			String name = IDN.toASCII(matcher.group("name")).toLowerCase(Locale.ROOT);
			return new Entry(name, matcher.group("wildcard") != null, port);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"It is not the name of a host: %s.".formatted(ex.getMessage()));
		}
	}

	boolean contains(URI uri) {
		if (uri.getHost() == null) {
			return false;
		}
		String host = uri.getHost().toLowerCase(Locale.ROOT);
		// the dot at the end of a name that is complete
		String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
		int port = port(uri);
		return this.entries.stream().anyMatch((entry) -> entry.matches(name, port));
	}

	private static int port(URI uri) {
		if (uri.getPort() >= 0) {
			return uri.getPort();
		}
		return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
	}

	/**
	 * A host, or all hosts below it.
	 */
	private record Entry(String host, boolean below, int port) {

		boolean matches(String name, int port) {
			return (this.port == ANY_PORT || this.port == port)
					&& (this.below ? name.endsWith("." + this.host) : name.equals(this.host));
		}

	}

}
