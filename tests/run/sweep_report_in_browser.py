"""sweep_report_in_browser.py SPOTSIM SCENARIOS: the page of a sweep, in Chromium."""
import csv
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

from browser import Browser
from support import fail, skip

# Two policies, on two seeds each.
POLICIES = """name: policies
scenario: {}/no-interruption.yaml
compare: {{trainer.policy: [epoch, none]}}
seeds: 1-2
"""


def made(spotsim, sweep, folder):
    """The rows of the sweep's summary, the page's data, and the page."""
    for command in (["sweep", sweep, "--out", folder, "--quiet"], ["report", folder]):
        done = subprocess.run([spotsim, *command], capture_output=True, text=True, check=False)
        if "was built without the page" in done.stderr:
            skip("the build had no esbuild or d3")
        if done.returncode != 0:
            fail(f"{command}: exit {done.returncode}: {done.stderr}")
    data = json.loads(subprocess.run([spotsim, "report", folder, "--json"], capture_output=True,
                                     text=True, check=True).stdout)
    with open(folder / "summary.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file)), data, folder / "report.html"


def shown(browser, column):
    return browser.value("[...document.querySelectorAll('#table data')].filter(one => "
                         f"one.dataset.key === '{column}').map(one => Number(one.value))")


def check_page(browser, rows, page):
    browser.open(page)
    if browser.requests != [page.as_uri()] or browser.complaints:
        fail(f"the page asked for {browser.requests} and says {browser.complaints}")
    for column in ("cost_usd_mean", "cost_usd_ci95", "makespan_h_mean", "n"):
        found = sorted(round(value, 6) for value in shown(browser, column))
        if found != sorted(float(row[column]) for row in rows if row[column]):
            fail(f"the table shows {column} as {found}")
    unnamed = "[...document.querySelectorAll('[data-variant]')].every(one => one.ariaLabel)"
    if not browser.value(unnamed):
        fail("a point has no text for a screen reader")


def check_table(browser, rows, page):
    browser.value("[...document.querySelectorAll('#table th button')].find(one => "
                  "one.textContent === 'cost').click()")
    costs = shown(browser, "cost_usd_mean")
    if costs != sorted(costs) or len(costs) != len(rows):
        fail(f"sorted by cost the table shows {costs}")
    browser.value("(() => { const box = document.querySelector('input[type=search]'); "
                  "box.value = 'greedy'; box.dispatchEvent(new Event('input')) })()")
    browser.settle()
    greedy = sorted(float(row["cost_usd_mean"]) for row in rows if row["policy"] == "greedy")
    if [round(value, 6) for value in shown(browser, "cost_usd_mean")] != greedy:
        fail(f"filtered by greedy the table shows {shown(browser, 'cost_usd_mean')}")
    link = browser.value("location.hash")
    browser.open(page, link)
    if len(shown(browser, "cost_usd_mean")) != len(greedy):
        fail(f"the link {link} does not restore the filter")


def check_pictures(browser):
    """What the page of checkpoint-frequency draws beside cost against time."""
    titles = browser.value("[...document.querySelectorAll('figcaption')].map("
                           "one => one.textContent)")
    if "Difference from the first variant" not in titles or len(titles) != 4:
        fail(f"the page has the pictures {titles}")
    lines = browser.value("[...document.querySelectorAll('.optimum')].map(one => one.ariaLabel)")
    # A checkpoint takes five minutes, and spot lasts six hours on average: √(2·5·360) minutes.
    if [line.split(":")[0] for line in lines] != ["Young", "Daly"] or \
            not lines[0].startswith("Young: 1h"):
        fail(f"the page draws the optima {lines}")


def check_large(browser, spotsim, folder):
    """A row of a large sweep is a dot of a bitmap, and a row of the table when it is asked for."""
    folder.mkdir()
    with sqlite3.connect(folder / "results.db") as database:
        database.execute("CREATE TABLE runs(setting, seed, policy, finished)")
        database.execute("CREATE TABLE summary(setting, policy, rank, n, cost_usd_mean, "
                         "makespan_h_mean, pareto)")
        database.executemany("INSERT INTO summary VALUES('a', ?, ?, 1, ?, ?, ?)",
                             [(f"time:{row}s", row, row % 71, row % 97, row < 3)
                              for row in range(1, 3001)])
    database.close()
    made_page = subprocess.run([spotsim, "report", folder], capture_output=True, text=True,
                               check=False)
    if made_page.returncode != 0:
        fail(f"exit {made_page.returncode}: {made_page.stderr}")
    browser.open(folder / "report.html")
    rows = "document.querySelectorAll('#table tbody tr').length"
    if browser.complaints or browser.value(rows) != 250:
        fail(f"{browser.value(rows)} rows, the page says {browser.complaints}")
    browser.value("[...document.querySelectorAll('#table button')].find(one => "
                  "one.textContent.startsWith('show')).click()")
    if browser.value(rows) < 500 or browser.value("document.querySelectorAll('canvas').length") < 1:
        fail("the page of a large sweep has no bitmap, or shows no more rows")
    x, y = browser.value("(() => { const box = document.querySelector('canvas')"
                         ".getBoundingClientRect(); return [box.left + 300, box.top + 150] })()")
    browser.mouse("mouseMoved", x, y)
    if "cost $" not in browser.value("document.getElementById('tip').textContent"):
        fail("a dot has no note")


def main():
    spotsim, scenarios = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="sweep-report-") as scratch, Browser() as browser:
        folder = pathlib.Path(scratch).resolve()
        rows, data, page = made(spotsim, scenarios / "sweeps/checkpoint-frequency.yaml",
                                folder / "frequency")
        if not data["command"].startswith("spotsim sweep ") or any(data["commands"]):
            fail(f"found the commands {data['command']}, {data['commands']}")
        browser.size(1280)
        check_page(browser, rows, page)
        check_pictures(browser)
        check_table(browser, rows, page)
        browser.size(400, dark=True)
        check_page(browser, rows, page)
        if browser.value("document.documentElement.scrollWidth") > 400:
            fail("the page is wider than a window of 400 pixels")

        sweep = folder / "policies.yaml"
        sweep.write_text(POLICIES.format(scenarios))
        rows, data, page = made(spotsim, sweep, folder / "policies")
        check_page(browser, rows, page)
        if not all(command.endswith(" --seed 1 --guest fiber") for command in data["commands"]) or \
                len(data["commands"]) != 2 or "trainer.policy=none" not in data["commands"][1]:
            fail(f"found the replays {data['commands']}")
        point = "[...document.querySelectorAll('[data-variant]')].find(one => one.dataset.variant"
        browser.value(f"{point} === 'none').dispatchEvent(new MouseEvent('click'))")
        if browser.value("document.querySelector('#replay pre').textContent") != \
                data["commands"][1]:
            fail("a click on a point does not show the command that replays it")
        browser.value(f"{point} === 'epoch').focus()")
        browser.key("Enter")
        if browser.value("document.querySelector('#replay pre').textContent") != \
                data["commands"][0]:
            fail("Enter on a point does not show the command that replays it")
        check_large(browser, spotsim, folder / "large")


main()
