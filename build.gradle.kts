import javax.xml.parsers.DocumentBuilderFactory
import org.w3c.dom.Element

// The versions are written once, in pom.xml. A -P property of the same name overrides one for a single run.
val pom: Element = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file("pom.xml")).documentElement

fun Element.elements(): List<Element> = (0 until childNodes.length).map { childNodes.item(it) }.filterIsInstance<Element>()

fun Element.element(name: String): Element = elements().first { it.tagName == name }

val pomProperties: Map<String, String> = pom.element("properties").elements().associate {
	it.tagName to providers.gradleProperty(it.tagName).getOrElse(it.textContent.trim())
}

subprojects {
	group = pom.element("groupId").textContent
	version = pom.element("version").textContent
	pomProperties.forEach { (name, value) -> extra[name] = value }

	apply(plugin = "java-library")

	// Maven's provided scope is on the test class path too.
	configurations["testImplementation"].extendsFrom(configurations["compileOnly"])

	dependencies {
		"implementation"(platform("org.springframework.boot:spring-boot-dependencies:${property("spring-boot.version")}"))
		"implementation"(platform("org.springframework.integration:spring-integration-bom:${property("spring-integration.version")}"))
		"annotationProcessor"(platform("org.springframework.boot:spring-boot-dependencies:${property("spring-boot.version")}"))
		"testRuntimeOnly"("org.junit.platform:junit-platform-launcher")
	}

	tasks.withType<JavaCompile>().configureEach {
		options.encoding = "UTF-8"
		options.release.set(pomProperties.getValue("maven.compiler.release").toInt())
		options.compilerArgs.addAll(listOf("-parameters", "-Xlint:all,-serial,-processing", "-Xdoclint:all,-missing"))
	}

	tasks.withType<Javadoc>().configureEach {
		options.encoding = "UTF-8"
		(options as StandardJavadocDocletOptions).apply {
			addBooleanOption("Xdoclint:all,-missing", true)
			addBooleanOption("notimestamp", true)
		}
	}

	tasks.withType<Test>().configureEach {
		useJUnitPlatform()
		systemProperty("junit.jupiter.execution.timeout.default", pomProperties.getValue("longest-test"))
		systemProperty("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
	}

	tasks.withType<AbstractArchiveTask>().configureEach {
		isPreserveFileTimestamps = false
		isReproducibleFileOrder = true
	}
}
