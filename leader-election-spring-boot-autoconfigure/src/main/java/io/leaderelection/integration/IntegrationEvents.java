package io.leaderelection.integration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.Registration;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.SmartLifecycleRoleController;

/**
 * Tells Spring Integration of every gain and loss, the role being the election's name.
 * The lease is given up only when those who are told of the loss have returned.
 */
class IntegrationEvents implements ApplicationListener<ContextStartedEvent>, AutoCloseable {

	private final LeaderEventPublisher publisher;

	private final Supplier<@Nullable SmartLifecycleRoleController> endpoints;

	private final List<Role> roles = new CopyOnWriteArrayList<>();

	private final Registration registration;

	IntegrationEvents(LeaderElections elections, LeaderEventPublisher publisher,
			Supplier<@Nullable SmartLifecycleRoleController> endpoints) {
		this.publisher = publisher;
		this.endpoints = endpoints;
		this.registration = elections.forEachElector(this::add);
	}

	private void add(LeaderElector elector) {
		Role role = new Role(elector);
		this.roles.add(role);
		elector.addListener(role);
	}

	/** An explicit start of the context starts everything, whether it wants to or not. */
	@Override
	public void onApplicationEvent(ContextStartedEvent event) {
		this.roles.forEach(Role::contextStarted);
	}

	@Override
	public void close() {
		this.registration.close();
	}

	/**
	 * What happens in one role, one after the other.
	 */
	private final class Role implements LeadershipListener {

		private final LeaderElector elector;

		private @Nullable IntegrationLeadership present;

		private Role(LeaderElector elector) {
			this.elector = elector;
		}

		@Override
		public synchronized void gained(Gained event) {
			this.present = new IntegrationLeadership(this.elector, event.leadership());
			IntegrationEvents.this.publisher.publishOnGranted(this.elector, this.present, event.election());
		}

		@Override
		public synchronized void lost(Lost event) {
			IntegrationLeadership ended = this.present;
			this.present = null;
			if (ended != null) {
				IntegrationEvents.this.publisher.publishOnRevoked(this.elector, ended, event.election());
			}
		}

		private synchronized void contextStarted() {
			SmartLifecycleRoleController controller = IntegrationEvents.this.endpoints.get();
			if (this.present == null && controller != null) {
				controller.stopLifecyclesInRole(this.elector.election());
			}
		}

	}

}
