/**
 * Elections decided by ZooKeeper: the store and its Spring configuration.
 */
@NullMarked
package io.leaderelection.zookeeper;

import org.jspecify.annotations.NullMarked;
