package io.leaderelection.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * The scripts, each put together from the parts that it needs: Redis has no way to share
 * code between scripts.
 */
enum LeaseScript {

	ACQUIRE("record.lua", "history.lua", "acquire.lua"),

	RENEW("record.lua", "history.lua", "renew.lua"),

	RELEASE("record.lua", "release.lua"),

	TRANSFER("record.lua", "transfer.lua"),

	READ("record.lua", "read.lua");

	private final String text;

	private final String sha1;

	LeaseScript(String... parts) {
		StringBuilder joined = new StringBuilder();
		for (String part : parts) {
			joined.append(load(part)).append('\n');
		}
		this.text = joined.toString();
		this.sha1 = DigestUtils.sha1DigestAsHex(this.text);
	}

	private static String load(String part) {
		try {
			return new ClassPathResource(part, LeaseScript.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String text() {
		return this.text;
	}

	String sha1() {
		return this.sha1;
	}

}
