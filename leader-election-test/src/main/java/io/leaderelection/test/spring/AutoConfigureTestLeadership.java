package io.leaderelection.test.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives the application context of a test class a
 * {@link io.leaderelection.test.TestLeadership} bean in place of a store: this node
 * follows in all elections until the test grants it leadership, and follows again after
 * each test. Goes with {@code @SpringBootTest} and with slices such as
 * {@code @WebMvcTest}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestLeadership {

}
