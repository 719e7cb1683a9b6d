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

include(
	"leader-election-core",
	"leader-election-test",
	"leader-election-spring-boot-autoconfigure",
	"leader-election-spring-boot-starter",
	"sample-app",
	"sample-servers",
	"benchmarks",
)
