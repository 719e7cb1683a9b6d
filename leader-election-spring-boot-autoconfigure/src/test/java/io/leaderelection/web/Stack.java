package io.leaderelection.web;

import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * The two ways to serve HTTP with Spring.
 */
public enum Stack {

	/** Spring MVC on Tomcat. */
	MVC(WebApplicationType.SERVLET, Mvc.class),

	/** Spring WebFlux on Netty. */
	WEBFLUX(WebApplicationType.REACTIVE, WebFlux.class);

	public final WebApplicationType type;

	public final Class<?> configuration;

	Stack(WebApplicationType type, Class<?> configuration) {
		this.type = type;
		this.configuration = configuration;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderElectionWebAutoConfiguration.class,
			TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, ErrorMvcAutoConfiguration.class,
			HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class })
	public static class Mvc {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderElectionWebAutoConfiguration.class,
			NettyReactiveWebServerAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
			WebFluxAutoConfiguration.class, ErrorWebFluxAutoConfiguration.class, CodecsAutoConfiguration.class,
			JacksonAutoConfiguration.class })
	public static class WebFlux {

	}

}
