// The texts of the page whose contrast with their background is below 4.5, which WCAG AA asks for.
(() => {
	const channels = (color) => color.match(/[\d.]+/g).map(Number);
	const luminance = ([r, g, b]) => [r, g, b].map((it) => it / 255)
		.map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4))
		.reduce((sum, it, index) => sum + it * [0.2126, 0.7152, 0.0722][index], 0);
	const backgroundOf = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const color = channels(getComputedStyle(at).backgroundColor);
			if (color.length === 3 || color[3] === 1) {
				return color;
			}
		}
		return [255, 255, 255];
	};
	const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
		&& !element.closest('[aria-disabled=true], [aria-hidden=true], .unseen');
	const texts = new Set();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		if (walker.currentNode.data.trim() && visible(walker.currentNode.parentElement)) {
			texts.add(walker.currentNode.parentElement);
		}
	}
	if (texts.size < 20) {
		return [`only ${texts.size} texts were found`];
	}
	return [...texts].map((element) => {
		const [one, other] = [channels(getComputedStyle(element).color), backgroundOf(element)].map(luminance).sort().reverse();
		return { text: element.textContent, contrast: (one + 0.05) / (other + 0.05) };
	}).filter((it) => it.contrast < 4.5);
})()
