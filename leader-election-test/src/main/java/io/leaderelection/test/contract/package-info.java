/**
 * What every {@link io.leaderelection.store.LeaseStore} has to do, as tests to inherit:
 * start with {@link io.leaderelection.test.contract.LeaseStoreContract}.
 */
@NullMarked
package io.leaderelection.test.contract;

import org.jspecify.annotations.NullMarked;
