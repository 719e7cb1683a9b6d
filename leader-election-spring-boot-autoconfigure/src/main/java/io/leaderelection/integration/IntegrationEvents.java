package io.leaderelection.integration;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.Registration;
import org.jspecify.annotations.Nullable;

import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Tells Spring Integration of every gain and loss, the role being the election's name.
 * The lease is given up only when those who are told of the loss have returned.
 */
class IntegrationEvents implements AutoCloseable {

	private final LeaderEventPublisher publisher;

	private final Registration registration;

	IntegrationEvents(LeaderElections elections, LeaderEventPublisher publisher) {
		this.publisher = publisher;
		this.registration = elections.forEachElector((elector) -> elector.addListener(new RoleEvents(elector)));
	}

	@Override
	public void close() {
		this.registration.close();
	}

	/**
	 * The events of one role, one after the other.
	 */
	private final class RoleEvents implements LeadershipListener {

		private final LeaderElector elector;

		private @Nullable IntegrationLeadership present;

		private RoleEvents(LeaderElector elector) {
			this.elector = elector;
		}

		@Override
		public void gained(Gained event) {
			this.present = new IntegrationLeadership(this.elector, event.leadership());
			IntegrationEvents.this.publisher.publishOnGranted(this.elector, this.present, event.election());
		}

		@Override
		public void lost(Lost event) {
			IntegrationLeadership ended = this.present;
			this.present = null;
			if (ended != null) {
				IntegrationEvents.this.publisher.publishOnRevoked(this.elector, ended, event.election());
			}
		}

	}

}
