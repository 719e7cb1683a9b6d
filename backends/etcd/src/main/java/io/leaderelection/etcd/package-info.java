/**
 * Elections in etcd, through jetcd.
 */
@NullMarked
package io.leaderelection.etcd;

import org.jspecify.annotations.NullMarked;
