package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.Registration;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes every change in every election as an application event, in the order in which
 * this node sees the changes of one election. As with any listener, the lease is given up
 * only when the loss has been published, and so when the event's listeners have returned.
 */
class LeadershipEventPublisher implements LeadershipListener, AutoCloseable {

	private final ApplicationEventPublisher publisher;

	private final Registration registration;

	LeadershipEventPublisher(LeaderElections elections, ApplicationEventPublisher publisher) {
		this.publisher = publisher;
		this.registration = elections.forEachElector((elector) -> elector.addListener(this));
	}

	@Override
	public void gained(Gained event) {
		this.publisher.publishEvent(event);
	}

	@Override
	public void lost(Lost event) {
		this.publisher.publishEvent(event);
	}

	@Override
	public void leaderChanged(LeaderChanged event) {
		this.publisher.publishEvent(event);
	}

	@Override
	public void close() {
		this.registration.close();
	}

}
