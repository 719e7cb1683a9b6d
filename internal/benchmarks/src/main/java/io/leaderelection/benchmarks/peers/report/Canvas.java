package io.leaderelection.benchmarks.peers.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.imageio.ImageIO;

/**
 * A picture with a background of its own, so that it can be read on light and on dark
 * pages.
 */
final class Canvas {

	static final Color OURS = new Color(0x0B5CAD);

	static final Color PEERS = new Color(0xB7791F);

	static final Color INK = new Color(0x1F2328);

	static final Color FAINT = new Color(0xD8DEE4);

	/** Twice the size that it is shown in, for sharp screens. */
	private static final int SCALE = 2;

	private final BufferedImage image;

	private final Graphics2D graphics;

	Canvas(int width, int height, String title) {
		this.image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
		this.graphics = this.image.createGraphics();
		this.graphics.scale(SCALE, SCALE);
		this.graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
		this.graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
		fill(Color.WHITE, 0, 0, width, height);
		this.graphics.setColor(FAINT);
		this.graphics.drawRect(0, 0, width - 1, height - 1);
		this.graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
		text(INK, title, 16, 26);
		this.graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
	}

	void fill(Color color, double x, double y, double width, double height) {
		this.graphics.setColor(color);
		this.graphics.fillRect((int) x, (int) y, (int) Math.ceil(width), (int) Math.ceil(height));
	}

	void line(Color color, float width, double x1, double y1, double x2, double y2) {
		this.graphics.setColor(color);
		this.graphics.setStroke(new BasicStroke(width));
		this.graphics.drawLine((int) x1, (int) y1, (int) x2, (int) y2);
	}

	void dot(Color color, double x, double y) {
		this.graphics.setColor(color);
		this.graphics.fillOval((int) x - 3, (int) y - 3, 7, 7);
	}

	void text(Color color, String text, double x, double y) {
		this.graphics.setColor(color);
		this.graphics.drawString(text, (int) x, (int) y);
	}

	void textEndingAt(Color color, String text, double x, double y) {
		text(color, text, x - this.graphics.getFontMetrics().stringWidth(text), y);
	}

	void write(Path file) throws IOException {
		Files.createDirectories(file.toAbsolutePath().getParent());
		ImageIO.write(this.image, "png", file.toFile());
	}

}
