package io.leaderelection.observed;

/**
 * A change of one record that fails if it is no longer as it was seen.
 *
 * @param election the election
 * @param seen how the record was seen
 * @param next what it becomes, with a version that it never had
 */
public record ConditionalWrite(String election, Sight seen, LeaseRecord next) {
}
