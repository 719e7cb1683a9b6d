package io.leaderelection.sample.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * A page in Chromium, as somebody in front of it sees and uses it.
 */
public final class Page {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final DevTools devTools;

	private final String session;

	Page(DevTools devTools, String url) {
		this.devTools = devTools;
		String target = devTools.ask("", "Target.createTarget", Map.of("url", "about:blank"))
			.get("targetId")
			.asString();
		this.session = devTools.ask("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
			.get("sessionId")
			.asString();
		width(1280, false);
		ask("Page.navigate", Map.of("url", url));
		await("document.readyState === 'complete' && location.href !== 'about:blank'");
	}

	private JsonNode ask(String method, Map<String, ?> parameters) {
		return this.devTools.ask(this.session, method, parameters);
	}

	/** How wide the window is, and whether it is that of a phone. */
	public void width(int width, boolean phone) {
		ask("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", phone));
	}

	/** What the reader's system asks for, such as {@code prefers-color-scheme: dark}. */
	public void preference(String name, String value) {
		ask("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", name, "value", value))));
	}

	/** The value of an expression, or of the promise that it is. */
	public JsonNode evaluate(String expression) {
		JsonNode result = ask("Runtime.evaluate",
				Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
		if (result.has("exceptionDetails")) {
			throw new IllegalStateException("%s: %s".formatted(expression, result.get("exceptionDetails")));
		}
		return result.get("result").path("value");
	}

	public String text(String selector) {
		return evaluate("document.querySelector(%s)?.innerText ?? ''".formatted(quoted(selector))).asString();
	}

	/** Waits until an expression is true. */
	public void await(String expression) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.pollInterval(Duration.ofMillis(50))
				.until(() -> evaluate("Boolean(%s)".formatted(expression)).asBoolean());
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("The page never said: %s. It shows:%n%s".formatted(expression, text("body")), ex);
		}
	}

	/** Clicks where the element is, as a mouse does. */
	public void click(String selector) {
		JsonNode at = evaluate("""
				(() => {
					const element = document.querySelector(%s);
					element.scrollIntoView({ block: 'center', behavior: 'instant' });
					const box = element.getBoundingClientRect();
					return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
				})()
				""".formatted(quoted(selector)));
		for (String type : List.of("mousePressed", "mouseReleased")) {
			ask("Input.dispatchMouseEvent", Map.of("type", type, "x", at.get("x").asDouble(), "y",
					at.get("y").asDouble(), "button", "left", "clickCount", 1));
		}
	}

	/** Presses the enter key. */
	public void pressEnter() {
		Map<String, ?> enter = Map.of("type", "keyDown", "key", "Enter", "code", "Enter", "windowsVirtualKeyCode", 13,
				"text", "\r");
		ask("Input.dispatchKeyEvent", enter);
		ask("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", "Enter", "code", "Enter"));
	}

	public void screenshot(Path file) throws IOException {
		String data = ask("Page.captureScreenshot", Map.of("format", "png")).get("data").asString();
		Files.write(file, Base64.getDecoder().decode(data));
	}

	private static String quoted(String text) {
		return "'%s'".formatted(text.replace("\\", "\\\\").replace("'", "\\'"));
	}

}
