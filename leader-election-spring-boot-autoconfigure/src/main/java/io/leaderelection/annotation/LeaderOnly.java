package io.leaderelection.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;

/**
 * The method runs only while this node leads the election. On a class it holds for every
 * method that can be called on the bean, and an annotation of the method itself goes
 * first. A step-down waits for calls under way.
 *
 * <p>
 * A {@link FencingToken} or {@link Leadership} parameter that the caller leaves
 * {@code null} is filled in, that of a {@code @Scheduled} method always.
 *
 * <p>
 * On a class that is a {@link org.springframework.context.Lifecycle Lifecycle}, or on the
 * {@code @Bean} method of one, it means something else: the bean is started when this
 * node becomes leader, stopped before it gives leadership up, and not started by the
 * application context.
 *
 * <p>
 * Like all that Spring does with proxies, it does not see calls that an object makes on
 * itself. Those and other uses that cannot work fail the start, as far as they can be
 * seen.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

	/**
	 * The election. May contain placeholders, <code>${…}</code>, and expressions,
	 * <code>#{…}</code>, in which the arguments of the method are variables
	 * (<code>#{#tenant}</code>).
	 * @return its name; empty for the only one there is
	 */
	String value() default "";

	/**
	 * What happens to a call while this node does not lead.
	 * @return skip it, or refuse it with an exception
	 */
	NotLeaderPolicy otherwise() default NotLeaderPolicy.DEFAULT;

	/**
	 * What happens to a call under way when leadership begins to end. What
	 * {@link OnLoss#INTERRUPT} does to a thread, cancelling does to a future or a
	 * reactive stream.
	 * @return interrupt it, or leave it alone
	 */
	OnLoss onLoss() default OnLoss.INTERRUPT;

}
