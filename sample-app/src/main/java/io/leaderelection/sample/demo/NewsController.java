package io.leaderelection.sample.demo;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Tells the pages that there is news, so that they ask at once and not at their next
 * turn. What is new they ask {@link NodeController} for.
 */
@RestController
class NewsController {

	private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();

	/** A page that does not read holds up other pages, and no listener of elections. */
	private final ExecutorService teller = Executors.newSingleThreadExecutor((work) -> {
		Thread thread = new Thread(work, "news");
		thread.setDaemon(true);
		return thread;
	});

	private volatile boolean ended;

	NewsController(Chronicle chronicle) {
		chronicle.tell(() -> this.teller.execute(this::tell));
	}

	@GetMapping("/api/node/news")
	SseEmitter news() {
		SseEmitter page = new SseEmitter(0L);
		page.onCompletion(() -> this.pages.remove(page));
		this.pages.add(page);
		if (this.ended) {
			page.complete();
		}
		this.teller.execute(() -> tell(page));
		return page;
	}

	private void tell() {
		this.pages.forEach(this::tell);
	}

	private void tell(SseEmitter page) {
		try {
			page.send("news");
		}
		catch (IOException | IllegalStateException ex) {
			// the page has gone
			this.pages.remove(page);
		}
	}

	/** Otherwise the web server would wait for these requests to end before it stops. */
	@EventListener(ContextClosedEvent.class)
	void end() {
		this.ended = true;
		this.pages.forEach(SseEmitter::complete);
	}

}
