package io.leaderelection.autoconfigure;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Election;

import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.core.convert.converter.Converter;
import org.springframework.util.StringUtils;

/**
 * Reads an election that is declared with nothing of its own: {@code elections.reports:}.
 */
@ConfigurationPropertiesBinding
class ElectionDeclarationConverter implements Converter<String, Election> {

	@Override
	public Election convert(String source) {
		if (StringUtils.hasText(source)) {
			throw new IllegalArgumentException(
					"An election has properties of its own, such as lease-duration, or nothing at all, but not '%s'"
						.formatted(source));
		}
		return new Election();
	}

}
