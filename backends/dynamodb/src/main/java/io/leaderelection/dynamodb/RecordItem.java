package io.leaderelection.dynamodb;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The record of an election as an item. Each write gives it a version that nobody has
 * ever given: a counter would begin anew with a table that was replaced.
 */
final class RecordItem {

	static final String TOKEN = "token";

	static final String DURATION = "duration";

	static final String HOLDER = "holder";

	static final String INCARNATION = "incarnation";

	static final String RESERVED_FOR = "reserved_for";

	static final String VERSION = "version";

	private RecordItem() {
	}

	static RecordSnapshot read(LeaseTable table, Map<String, AttributeValue> key,
			@Nullable Map<String, AttributeValue> item) {
		if (item == null || item.isEmpty()) {
			return new RecordSnapshot.Absent();
		}
		try {
			return new RecordSnapshot.Present(parse(item), required(item, VERSION));
		}
		catch (IllegalArgumentException ex) {
			Map<String, AttributeValue> attributes = new HashMap<>(item);
			attributes.remove(table.keyAttribute());
			return new RecordSnapshot.Unreadable(table.describe(key), Map.copyOf(attributes));
		}
	}

	private static LeaseRecord parse(Map<String, AttributeValue> item) {
		AttributeValue token = item.get(TOKEN);
		if (token == null || token.n() == null) {
			throw new IllegalArgumentException("No token");
		}
		String holder = optional(item, HOLDER);
		try {
			return new LeaseRecord(Long.parseLong(token.n()), Duration.parse(required(item, DURATION)),
					(holder != null) ? new Owner(holder, required(item, INCARNATION)) : null, null,
					optional(item, RESERVED_FOR));
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private static String required(Map<String, AttributeValue> item, String name) {
		String text = optional(item, name);
		if (text == null) {
			throw new IllegalArgumentException("No " + name);
		}
		return text;
	}

	private static @Nullable String optional(Map<String, AttributeValue> item, String name) {
		AttributeValue value = item.get(name);
		if (value == null) {
			return null;
		}
		if (value.s() == null) {
			throw new IllegalArgumentException("No text in " + name);
		}
		return value.s();
	}

	static String newVersion() {
		return UUID.randomUUID().toString();
	}

	/** The update that does the write, and tells what was there if it does not. */
	static UpdateItemRequest.Builder update(LeaseTable table, ConditionalWrite write, String version) {
		Expression expression = new Expression();
		String condition = condition(table, write.expected(), expression);
		return UpdateItemRequest.builder()
			.tableName(table.name())
			.key(table.election(write.election()))
			.updateExpression(update(write.next(), version, expression))
			.conditionExpression(condition)
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
			.expressionAttributeNames(expression.names)
			.expressionAttributeValues(expression.values);
	}

	private static String update(LeaseRecord next, String version, Expression expression) {
		Map<String, @Nullable AttributeValue> attributes = new LinkedHashMap<>();
		attributes.put(VERSION, AttributeValue.fromS(version));
		attributes.put(TOKEN, AttributeValue.fromN(Long.toString(next.token())));
		attributes.put(DURATION, AttributeValue.fromS(next.duration().toString()));
		Owner holder = next.holder();
		attributes.put(HOLDER, (holder != null) ? AttributeValue.fromS(holder.nodeId()) : null);
		attributes.put(INCARNATION, (holder != null) ? AttributeValue.fromS(holder.incarnation()) : null);
		attributes.put(RESERVED_FOR, (next.reservedFor() != null) ? AttributeValue.fromS(next.reservedFor()) : null);
		List<String> set = new ArrayList<>();
		List<String> remove = new ArrayList<>();
		attributes.forEach((name, value) -> {
			if (value != null) {
				set.add(expression.name(name) + " = " + expression.value(value));
			}
			else {
				remove.add(expression.name(name));
			}
		});
		return "SET %s REMOVE %s".formatted(String.join(", ", set), String.join(", ", remove));
	}

	private static String condition(LeaseTable table, RecordSnapshot seen, Expression expression) {
		Map<String, AttributeValue> expected = new LinkedHashMap<>();
		if (seen instanceof RecordSnapshot.Present present) {
			expected.put(VERSION, AttributeValue.fromS((String) present.version()));
			expected.put(TOKEN, AttributeValue.fromN(Long.toString(present.record().token())));
			Owner holder = present.record().holder();
			if (holder != null) {
				expected.put(INCARNATION, AttributeValue.fromS(holder.incarnation()));
			}
		}
		else if (seen instanceof RecordSnapshot.Unreadable unreadable) {
			((Map<?, ?>) unreadable.version())
				.forEach((name, value) -> expected.put((String) name, (AttributeValue) value));
		}
		else {
			return "attribute_not_exists(%s)".formatted(expression.name(table.keyAttribute()));
		}
		List<String> conditions = new ArrayList<>();
		conditions.add("attribute_exists(%s)".formatted(expression.name(table.keyAttribute())));
		expected.forEach((name, value) -> conditions.add(expression.name(name) + " = " + expression.value(value)));
		return String.join(" AND ", conditions);
	}

	/** Names and values by placeholders, since any name may be a reserved word. */
	private static final class Expression {

		private final Map<String, String> names = new LinkedHashMap<>();

		private final Map<String, AttributeValue> values = new LinkedHashMap<>();

		String name(String attribute) {
			for (Map.Entry<String, String> known : this.names.entrySet()) {
				if (known.getValue().equals(attribute)) {
					return known.getKey();
				}
			}
			String placeholder = "#n" + this.names.size();
			this.names.put(placeholder, attribute);
			return placeholder;
		}

		String value(AttributeValue value) {
			String placeholder = ":v" + this.values.size();
			this.values.put(placeholder, value);
			return placeholder;
		}

	}

}
