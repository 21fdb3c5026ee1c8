"""Writes SVG: one light sheet with a title and a description, readable in light and dark pages.

All pictures are 640 units wide, so that their text is still readable on a narrow screen.
"""
from xml.sax.saxutils import escape, quoteattr

WIDTH = 640
# Okabe and Ito's colours are distinguishable with any kind of colour blindness.
BLUE, SKY, ORANGE, RED, GREEN = "#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#009E73"
PURPLE, BLACK, GREY, LIGHT, WHITE = "#CC79A7", "#1a1a1a", "#5f5f5f", "#e3e3e3", "#ffffff"

STYLE = ("text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:14px;fill:#1a1a1a}"
         ".small{font-size:12px}.head{font-size:17px;font-weight:bold}.bold{font-weight:bold}"
         ".grey{fill:#5f5f5f}.white{fill:#fff}")


def number(value):
    """One decimal is enough for a screen, and keeps the files the same on every machine."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def attributes(values):
    texts = {name.rstrip("_").replace("_", "-"): number(value) if isinstance(value, float)
             else str(value) for name, value in values.items() if value is not None}
    return "".join(f" {name}={quoteattr(text)}" for name, text in texts.items())


class Picture:
    """A sheet. Each method adds one shape, in front of those that are there."""

    def __init__(self, height, title, description):
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" '
            'aria-labelledby="title description">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>', f"<style>{STYLE}</style>",
            '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" '
            'markerHeight="8" orient="auto-start-reverse" markerUnits="userSpaceOnUse">'
            f'<path d="M0 0L10 5L0 10z" fill="{GREY}"/></marker></defs>']
        self.rect(0, 0, WIDTH, height, fill=WHITE, rx=8)
        self.text(16, 28, title, "head")

    def shape(self, name, **values):
        self.lines.append(f"<{name}{attributes(values)}/>")

    def rect(self, x, y, width, height, **more):
        self.shape("rect", x=float(x), y=float(y), width=float(width), height=float(height), **more)

    def line(self, x1, y1, x2, y2, stroke=GREY, **more):
        self.shape("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=stroke,
                   **more)

    def circle(self, x, y, radius, **more):
        self.shape("circle", cx=float(x), cy=float(y), r=float(radius), **more)

    def polyline(self, points, stroke, **more):
        corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.shape("polyline", points=corners, fill="none", stroke=stroke, **more)

    def path(self, steps, stroke=GREY, **more):
        self.shape("path", d=steps, fill="none", stroke=stroke, **more)

    def text(self, x, y, words, style=None, anchor=None):
        named = attributes({"class": style, "text-anchor": anchor})
        self.lines.append(f'<text x="{number(x)}" y="{number(y)}"{named}>{escape(words)}</text>')

    def numbered(self, x, y, label):
        """A number in a disc, which a list below the drawing explains."""
        self.circle(x, y, 9, fill=BLACK)
        self.text(x, y + 4.3, str(label), "small white", "middle")

    def __str__(self):
        return "\n".join([*self.lines, "</svg>", ""])
