package io.leaderelection.annotation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/**
 * The lifecycle beans of one election, which are started in the order of their phases
 * when this node becomes leader, and stopped the other way round before it gives the
 * lease up. A leader that cannot start them steps down: another node may be able to.
 */
final class LeaderLifecycleGroup implements LeadershipListener {

	private static final Log logger = LogFactory.getLog(LeaderLifecycleGroup.class);

	private final LeaderElector elector;

	private final TreeMap<Integer, List<Member>> phases = new TreeMap<>();

	private final Duration stopTimeout;

	private boolean leading;

	LeaderLifecycleGroup(LeaderElector elector, Map<String, Lifecycle> beans, Duration stopTimeout) {
		this.elector = elector;
		this.stopTimeout = stopTimeout;
		beans.forEach((name, bean) -> this.phases.computeIfAbsent(phase(bean), (phase) -> new ArrayList<>())
			.add(new Member(name, bean)));
	}

	private static int phase(Lifecycle bean) {
		return (bean instanceof Phased phased) ? phased.getPhase() : 0;
	}

	@Override
	public synchronized void gained(Gained event) {
		this.leading = true;
		Leadership before = CurrentLeadership.set(event.leadership());
		try {
			for (List<Member> members : this.phases.values()) {
				for (Member member : members) {
					if (event.leadership().isCurrent() && !member.bean.isRunning()) {
						logger
							.info("Starting '%s', since this node leads '%s'".formatted(member.name, event.election()));
						member.bean.start();
					}
				}
			}
		}
		catch (RuntimeException | Error ex) {
			logger.error("Not all that is to run on the leader of '%s' could be started, so this node steps down"
				.formatted(event.election()), ex);
			this.elector.operations().stepDown();
		}
		finally {
			CurrentLeadership.set(before);
		}
	}

	@Override
	public synchronized void lost(Lost event) {
		this.leading = false;
		stopAll("this node no longer leads '%s'".formatted(event.election()));
	}

	synchronized void contextStarted() {
		if (!this.leading) {
			stopAll("the context has started it, but this node does not lead '%s'".formatted(this.elector.election()));
		}
	}

	private void stopAll(String reason) {
		for (List<Member> members : this.phases.descendingMap().values()) {
			CountDownLatch stopped = new CountDownLatch(members.size());
			members.forEach((member) -> stop(member, reason, stopped));
			awaitStop(members, stopped);
		}
	}

	private static void stop(Member member, String reason, CountDownLatch stopped) {
		try {
			if (!member.bean.isRunning()) {
				stopped.countDown();
				return;
			}
			logger.info("Stopping '%s', since %s".formatted(member.name, reason));
			if (member.bean instanceof SmartLifecycle smart) {
				smart.stop(stopped::countDown);
			}
			else {
				member.bean.stop();
				stopped.countDown();
			}
		}
		catch (RuntimeException ex) {
			logger.error("'%s' could not be stopped, and may still run".formatted(member.name), ex);
			stopped.countDown();
		}
	}

	private void awaitStop(List<Member> members, CountDownLatch stopped) {
		try {
			if (!stopped.await(this.stopTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.error("Of %s, %d did not stop within %s, and may still run"
					.formatted(members.stream().map(Member::name).toList(), stopped.getCount(), this.stopTimeout));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			logger
				.error("Waiting for %s to stop was interrupted".formatted(members.stream().map(Member::name).toList()));
		}
	}

	private record Member(String name, Lifecycle bean) {
	}

}
