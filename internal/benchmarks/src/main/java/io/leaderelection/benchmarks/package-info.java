/**
 * What elections cost: time per question, threads, memory, and how punctual renewals are.
 */
@NullMarked
package io.leaderelection.benchmarks;

import org.jspecify.annotations.NullMarked;
