package io.leaderelection.chaos.history;

/**
 * What a process used at some moment.
 *
 * @param process the process
 * @param at the moment
 * @param threads its live threads
 * @param descriptors its open file descriptors that are no files: connections above all
 */
public record Resources(String process, long at, int threads, int descriptors) {

}
