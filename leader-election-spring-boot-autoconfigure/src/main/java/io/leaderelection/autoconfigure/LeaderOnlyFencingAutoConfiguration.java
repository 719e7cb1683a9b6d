package io.leaderelection.autoconfigure;

import java.lang.reflect.Method;

import io.leaderelection.Leadership;
import io.leaderelection.annotation.GuardedCallListener;
import io.leaderelection.annotation.LeaderOnlyMethods;
import io.leaderelection.fencing.TransactionFence;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} that fences also those transactions in
 * which a guarded method is called, and not only those that it begins.
 */
@AutoConfiguration(after = { LeaderOnlyAutoConfiguration.class, FencingAutoConfiguration.class })
@ConditionalOnBean({ LeaderOnlyMethods.class, TransactionFence.class })
public final class LeaderOnlyFencingAutoConfiguration {

	@Bean
	GuardedCallListener leaderOnlyTransactionFencing(TransactionFence fence) {
		return new GuardedCallListener() {

			@Override
			public void began(Leadership leadership, Method method) {
				fence.join(leadership);
			}

		};
	}

}
