package io.leaderelection.test.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

import io.leaderelection.engine.Callbacks;

/**
 * Runs callbacks in virtual time: each begins a little late and takes a while. While its
 * process cannot start threads, a queue tries again from time to time.
 */
final class SimulatedCallbacks implements Callbacks {

	private final World world;

	private final Weather weather;

	private static final long RETRY = 100 * World.MILLI;

	private final SimulatedProcess process;

	private final boolean retries;

	SimulatedCallbacks(World world, Weather weather, SimulatedProcess process, boolean retries) {
		this.retries = retries;
		this.world = world;
		this.weather = weather;
		this.process = process;
	}

	@Override
	public Queue queue() {
		return new SimulatedQueue();
	}

	private final class SimulatedQueue implements Queue {

		private final Deque<Runnable> tasks = new ArrayDeque<>(2);

		private boolean busy;

		@Override
		public void submit(Runnable task, Runnable whenDone) {
			this.tasks.add(() -> run(task, whenDone));
			if (!this.busy) {
				next();
			}
		}

		private void next() {
			Runnable task = this.tasks.poll();
			this.busy = task != null;
			if (task != null) {
				begin(task);
			}
		}

		private void begin(Runnable task) {
			if (SimulatedCallbacks.this.process.canStartThreads()) {
				later(SimulatedCallbacks.this.world.between(0, World.MILLI / 5), task);
			}
			else if (SimulatedCallbacks.this.retries) {
				later(RETRY, () -> begin(task));
			}
		}

		private void run(Runnable task, Runnable whenDone) {
			Probe.Call call = Probe.observe(task);
			later(call.isListener() ? SimulatedCallbacks.this.weather.listenerTime() : 0, () -> {
				call.completed();
				whenDone.run();
				next();
			});
		}

		private void later(long delay, Runnable action) {
			SimulatedCallbacks.this.world.in(delay, () -> SimulatedCallbacks.this.process.deliver(action));
		}

	}

}
