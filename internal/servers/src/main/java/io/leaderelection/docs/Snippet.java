package io.leaderelection.docs;

/**
 * What stands between fences.
 *
 * @param place its file and the line of its fence
 * @param language what the fence says that it is
 * @param text what stands there
 */
public record Snippet(String place, String language, String text) {

	@Override
	public String toString() {
		return "%s (%s)".formatted(this.place, this.language);
	}

}
