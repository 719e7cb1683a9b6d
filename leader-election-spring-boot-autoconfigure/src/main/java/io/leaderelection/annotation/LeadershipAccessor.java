package io.leaderelection.annotation;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Carries the current leadership along wherever Micrometer's context propagation carries
 * anything.
 */
final class LeadershipAccessor implements ThreadLocalAccessor<Leadership> {

	/** Without it, this class cannot be loaded. */
	static final String REGISTRY = "io.micrometer.context.ContextRegistry";

	/**
	 * The registry belongs to the whole process, and a second accessor with the same key
	 * takes the place of the first.
	 */
	static void register() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(new LeadershipAccessor());
	}

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
