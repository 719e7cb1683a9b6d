package io.leaderelection.annotation;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Carries the current leadership along wherever Micrometer's context propagation carries
 * anything.
 */
final class LeadershipAccessor implements ThreadLocalAccessor<Leadership> {

	@Override
	public Object key() {
		return Leadership.class;
	}

	@Override
	public @Nullable Leadership getValue() {
		return CurrentLeadership.get();
	}

	@Override
	public void setValue(Leadership leadership) {
		CurrentLeadership.set(leadership);
	}

	@Override
	public void setValue() {
		CurrentLeadership.set(null);
	}

}
