package io.leaderelection.test.contract;

/**
 * A topic of the contract: tests as default methods, so that a backend inherits all
 * topics and its reports bear its own name.
 */
interface Contract {

	Scene scene();

}
