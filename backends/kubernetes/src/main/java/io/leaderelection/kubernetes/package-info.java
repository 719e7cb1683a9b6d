/**
 * Elections by Leases of Kubernetes.
 */
@NullMarked
package io.leaderelection.kubernetes;

import org.jspecify.annotations.NullMarked;
