package io.leaderelection.autoconfigure;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Refuses properties that do not exist, which Spring Boot ignores: a misspelt lease would
 * be the default one, and a misspelt key prefix another election. Variables of the
 * environment and of the JVM are not looked at, nor are groups that are not ours, which a
 * store of the application's own may have.
 */
final class UnknownProperties {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName
		.of(LeaderElectionProperties.PREFIX);

	/** Those that have anything below them: maps and lists. */
	static final Set<ConfigurationPropertyName> COLLECTIONS = collections();

	/** All others. */
	static final Set<ConfigurationPropertyName> SINGLE = single();

	private UnknownProperties() {
	}

	private static Set<ConfigurationPropertyName> collections() {
		Set<ConfigurationPropertyName> names = new LinkedHashSet<>();
		add(names, "", "elections");
		add(names, ".etcd", "endpoints");
		add(names, ".http", "token-hosts");
		add(names, ".kubernetes", "leader-label");
		return names;
	}

	private static Set<ConfigurationPropertyName> single() {
		Set<ConfigurationPropertyName> names = new LinkedHashSet<>();
		add(names, "", "auto-startup", "backend", "call-timeout", "clock-drift", "cold-start-wait", "drain-timeout",
				"enabled", "lease-duration", "node-id", "rehearse-hand-overs", "renew-interval", "safety-margin",
				"stand-only-when-ready", "step-down-when-unhealthy", "transfer-grace");
		add(names, ".dynamodb", "endpoint", "initialize-table", "key-attribute", "key-prefix", "region", "table-name");
		add(names, ".etcd", "connect-timeout", "password", "prefix", "user");
		add(names, ".etcd.ssl", "bundle");
		add(names, ".fencing.jdbc", "enabled");
		add(names, ".health", "failure-threshold", "group", "interval", "success-threshold", "timeout");
		add(names, ".integration", "enabled");
		add(names, ".jdbc", "check-timeout", "continue-on-error", "dialect", "initialize-schema", "mode", "platform",
				"query-timeout", "schema", "table-name", "takeover-delay", "wake-ups");
		add(names, ".kubernetes", "namespace", "pod-name", "prefix");
		add(names, ".leader-only", "enabled", "order", "scheduled-arguments", "self-invocation");
		add(names, ".redis", "detect-failover", "key-prefix");
		add(names, ".web", "retry-after", "token-header");
		add(names, ".zookeeper", "connect-string", "connection-timeout", "root-path", "session-timeout");
		add(names, ".zookeeper.auth", "credentials", "scheme");
		return names;
	}

	private static void add(Set<ConfigurationPropertyName> names, String group, String... members) {
		for (String member : members) {
			names.add(ConfigurationPropertyName.of("%s%s.%s".formatted(PREFIX, group, member)));
		}
	}

	/**
	 * Looks at the properties of an application.
	 * @param environment where they are
	 * @throws UnknownPropertyException if there is one that does not exist
	 */
	static void refuse(Environment environment) {
		UnboundElementsSourceFilter written = new UnboundElementsSourceFilter();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable && written.apply(source)) {
				refuse(iterable);
			}
		}
	}

	private static void refuse(IterableConfigurationPropertySource source) {
		for (ConfigurationPropertyName name : source) {
			if (PREFIX.isAncestorOf(name) && !isKnown(name) && !isForeign(name)) {
				ConfigurationProperty property = source.getConfigurationProperty(name);
				if (property != null && !isEmptyGroup(property)) {
					ConfigurationPropertyName group = groupOf(name);
					throw new UnknownPropertyException(name.toString(), property.getOrigin(), group.toString(),
							membersOf(group));
				}
			}
		}
	}

	private static boolean isKnown(ConfigurationPropertyName name) {
		if (SINGLE.contains(name) || COLLECTIONS.contains(name)) {
			return true;
		}
		for (ConfigurationPropertyName collection : COLLECTIONS) {
			if (collection.isAncestorOf(name)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isForeign(ConfigurationPropertyName name) {
		ConfigurationPropertyName first = name.chop(PREFIX.getNumberOfElements() + 1);
		return !first.equals(name) && !SINGLE.contains(first) && !isGroup(first);
	}

	/** What is left in YAML of a group whose members are commented out. */
	private static boolean isEmptyGroup(ConfigurationProperty property) {
		return "".equals(property.getValue()) && isGroup(property.getName());
	}

	private static ConfigurationPropertyName groupOf(ConfigurationPropertyName name) {
		ConfigurationPropertyName group = name.getParent();
		while (!isGroup(group)) {
			group = group.getParent();
		}
		return group;
	}

	private static boolean isGroup(ConfigurationPropertyName name) {
		return !membersOf(name).isEmpty();
	}

	private static Set<String> membersOf(ConfigurationPropertyName group) {
		Set<String> members = new TreeSet<>();
		addMembers(group, SINGLE, members);
		addMembers(group, COLLECTIONS, members);
		return members;
	}

	private static void addMembers(ConfigurationPropertyName group, Set<ConfigurationPropertyName> names,
			Set<String> members) {
		for (ConfigurationPropertyName name : names) {
			if (group.isAncestorOf(name)) {
				members.add(name.getElement(group.getNumberOfElements(), ConfigurationPropertyName.Form.DASHED));
			}
		}
	}

}
