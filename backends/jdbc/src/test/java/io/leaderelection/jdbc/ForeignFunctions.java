package io.leaderelection.jdbc;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * Functions of SQL Server and Oracle that H2 lacks; it wants them in a public class.
 */
public final class ForeignFunctions {

	private ForeignFunctions() {
	}

	/**
	 * Oracle's {@code SYS_EXTRACT_UTC}.
	 */
	public static LocalDateTime utc(OffsetDateTime time) {
		return LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC);
	}

	/**
	 * SQL Server's {@code SYSUTCDATETIME}.
	 */
	public static LocalDateTime now() {
		return LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC);
	}

	/**
	 * SQL Server's {@code DATEDIFF_BIG}, for one unit and one start.
	 */
	public static long difference(String unit, String from, LocalDateTime to) {
		if (!unit.equals("MICROSECOND") || !from.equals("19700101")) {
			throw new IllegalArgumentException(unit + " since " + from);
		}
		return ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), to);
	}

}
