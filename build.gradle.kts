// What modules share is in buildSrc/src/main/groovy, and versions are in gradle/libs.versions.toml.
plugins {
	base
}
