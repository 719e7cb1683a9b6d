pluginManagement {
	repositories {
		mavenCentral()
	}
}

dependencyResolutionManagement {
	repositories {
		mavenCentral()
	}
}

rootProject.name = "leader-election-parent"

fun module(name: String, directory: String = name) {
	include(name)
	project(":$name").projectDir = file(directory)
}

module("leader-election-core")
module("leader-election-test")
module("leader-election-bom")
module("leader-election-servers", "internal/servers")
module("leader-election-spring-boot-autoconfigure")
module("leader-election-dynamodb", "backends/dynamodb")
module("leader-election-etcd", "backends/etcd")
module("leader-election-jdbc", "backends/jdbc")
module("leader-election-kubernetes", "backends/kubernetes")
module("leader-election-redis", "backends/redis")
module("leader-election-zookeeper", "backends/zookeeper")
module("leader-election-spring-boot-starter")
module("leader-election-integration-tests", "internal/integration-tests")
module("leader-election-chaos", "internal/chaos")
module("sample-app")
module("sample-servers")
module("benchmarks", "internal/benchmarks")
