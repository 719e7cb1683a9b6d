package io.leaderelection.actuate;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.leaderelection.actuate.RefusedActionException.Cause;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Refuses requests to {@link LeaderEndpoint} of which not all would be read. Spring Boot
 * leaves aside what it does not know; whoever has misspelt a hold-off would go to sleep
 * believing in it.
 */
class UnknownFieldFilter implements OperationInvokerAdvisor {

	private static final EndpointId ENDPOINT = EndpointId.of("leader");

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		if (!endpointId.equals(ENDPOINT) || operationType != OperationType.WRITE) {
			return invoker;
		}
		Set<String> known = StreamSupport.stream(parameters.spliterator(), false)
			.map(OperationParameter::getName)
			.collect(Collectors.toCollection(TreeSet::new));
		return (context) -> {
			for (String name : context.getArguments().keySet()) {
				if (!known.contains(name)) {
					return refusal(name, known);
				}
			}
			return invoker.invoke(context);
		};
	}

	private static Object refusal(String unknown, Set<String> known) {
		return LeaderEndpointWebExtension.refusal(Refusal.of(new RefusedActionException(Cause.BAD_REQUEST,
				"There is no field '%s'".formatted(RefusedActionException.echo(unknown)),
				known.stream().filter((name) -> !name.equals("election")).toList())));
	}

}
