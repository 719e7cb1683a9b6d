/**
 * Elections in DynamoDB, through the AWS SDK.
 */
@NullMarked
package io.leaderelection.dynamodb;

import org.jspecify.annotations.NullMarked;
