package io.leaderelection.sample.demo;

import org.springframework.stereotype.Component;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Lets the pages that the other nodes serve ask this one, and no others.
 */
@Component
class PagesOfPeers implements WebMvcConfigurer {

	private final DemoProperties demo;

	PagesOfPeers(DemoProperties demo) {
		this.demo = demo;
	}

	@Override
	public void addCorsMappings(CorsRegistry registry) {
		registry.addMapping("/api/**")
			.allowedOrigins(this.demo.peers().toArray(String[]::new))
			.allowedMethods("GET", "POST");
	}

}
