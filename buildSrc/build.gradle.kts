plugins {
	`groovy-gradle-plugin`
}
