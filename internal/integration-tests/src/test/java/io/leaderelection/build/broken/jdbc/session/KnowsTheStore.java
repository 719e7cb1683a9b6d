package io.leaderelection.build.broken.jdbc.session;

import io.leaderelection.build.broken.jdbc.Store;

class KnowsTheStore {

	private final Store store = new Store();

	Store store() {
		return this.store;
	}

}
