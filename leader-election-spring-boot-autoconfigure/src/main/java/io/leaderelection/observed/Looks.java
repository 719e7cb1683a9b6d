package io.leaderelection.observed;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.leaderelection.observed.Sight.Unreadable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reads elections, many at once, and takes note of what was seen and when.
 */
final class Looks {

	private static final Log logger = LogFactory.getLog(Looks.class);

	private final LeaseRecords records;

	private final Sightings sightings;

	private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

	Looks(LeaseRecords records, Sightings sightings) {
		this.records = records;
		this.sightings = sightings;
	}

	List<Look> at(List<String> elections, Limit limit) {
		List<Sight> seen = this.records.read(elections, limit.remaining());
		return IntStream.range(0, seen.size()).mapToObj((i) -> saw(elections.get(i), seen.get(i))).toList();
	}

	Look saw(String election, Sight sight) {
		if (!(sight instanceof Unreadable unreadable)) {
			this.unreadable.remove(election);
		}
		else if (this.unreadable.add(election)) {
			logger.warn(("%s does not hold the record of an election, so that nobody can be elected: "
					+ "delete it when nobody leads any more")
				.formatted(unreadable.where()));
		}
		return this.sightings.saw(election, sight);
	}

}
