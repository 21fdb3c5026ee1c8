"""The first two charts of a sweep's page, as Chromium draws them."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/run"))
from browser import Browser  # noqa: E402

STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size",
          "text-anchor", "paint-order"]
# The charts as SVG whose elements have the style that the page gives them.
CHARTS = """[...document.querySelectorAll("figure")].slice(0, 2).map(figure => {
  const chart = figure.querySelector("svg"), copy = chart.cloneNode(true);
  const elements = [...chart.querySelectorAll("*")];
  copy.querySelectorAll("*").forEach((one, i) => {
    const style = getComputedStyle(elements[i]);
    for (const name of NAMES) one.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "role", "tabindex", "aria-label", "data-variant"])
      one.removeAttribute(name);
  });
  return {title: figure.querySelector("figcaption").textContent, content: copy.innerHTML,
          height: chart.height.baseVal.value, width: chart.width.baseVal.value};
})"""
TITLE = 34   # the height of the titles
WIDTH = 960  # on a page


def draw(folder):
    with Browser() as browser:
        browser.size(1280)
        browser.open(folder / "report.html")
        charts = browser.value(CHARTS.replace("NAMES", str(STYLED)))
    left, right = charts
    scale = WIDTH / (left["width"] + 40 + right["width"])
    height = max(chart["height"] for chart in charts) + TITLE
    groups = "".join(
        f'<g transform="translate({x},{TITLE})"><text x="0" y="-12" font-size="16" '
        f'font-weight="600" fill="#1b1b1b">{chart["title"]}</text>\n{chart["content"]}</g>\n'
        for x, chart in ((0, left), (left["width"] + 40, right)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
            f'height="{round(height * scale)}" viewBox="0 0 {round(WIDTH / scale)} {height}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n'
            f'{groups}</svg>\n')
