package io.leaderelection.benchmarks.peers.node;

import javax.sql.DataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;

/**
 * Spring Integration's initiators on PostgreSQL, with the insert that its manual
 * recommends there.
 */
@Configuration(proxyBeanMethods = false)
@Import(LockRegistryInitiators.class)
class IntegrationJdbc {

	@Bean
	DefaultLockRepository lockRepository(DataSource dataSource) {
		DefaultLockRepository repository = new DefaultLockRepository(dataSource);
		repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
		return repository;
	}

	@Bean
	JdbcLockRegistry lockRegistry(LockRepository repository, NodeSettings settings) {
		return new JdbcLockRegistry(repository, settings.lease());
	}

}
