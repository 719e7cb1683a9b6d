plugins {
	`java-platform`
	id("published-pom")
}

description = "The versions of all published modules"

dependencies {
	constraints {
		api(project(":leader-election-core"))
		api(project(":leader-election-dynamodb"))
		api(project(":leader-election-etcd"))
		api(project(":leader-election-jdbc"))
		api(project(":leader-election-kubernetes"))
		api(project(":leader-election-redis"))
		api(project(":leader-election-spring-boot-autoconfigure"))
		api(project(":leader-election-spring-boot-starter"))
		api(project(":leader-election-test"))
		api(project(":leader-election-zookeeper"))
	}
}
