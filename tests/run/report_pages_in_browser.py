"""report_pages_in_browser.py SPOTSIM SCENARIOS: the pages of an exploration, an advice and a trace,
in Chromium."""
import json
import pathlib
import subprocess
import sys
import tempfile

from browser import Browser
from support import check_schema, fail, skip

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>'\"`${1}"
JOB = """instance_type: p3.2xlarge
work: 5h
deadline: 10h
trace: prices.csv
windows: 20
interruptions: 2h
"""
PRICES = """az,instance_type,timestamp,price_usd_h
us-east-1a,p3.2xlarge,2021-03-01T00:00:00Z,0.918
us-east-1a,p3.2xlarge,2021-04-01T00:00:00Z,0.918
"""
THREE_BOOTS = "invariants=[{name: three-boots, at_most: 3, of: {event: instance.boot}}]"


def called(spotsim, *arguments, status=0):
    done = subprocess.run([spotsim, *arguments], capture_output=True, text=True, check=False)
    if "was built without the page" in done.stderr:
        skip("the build had no esbuild or d3")
    if done.returncode != status:
        fail(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def shown(browser, key):
    return browser.value(f"[...document.querySelectorAll('data')].filter(one => one.dataset.key "
                         f"=== '{key}').map(one => Number(one.value))")


def check_looks(browser, page):
    """Quiet, no wider than its window, and each mark with words, in all four looks."""
    for width in (400, 1280):
        for dark in (True, False):
            browser.size(width, dark=dark)
            browser.open(page)
            if browser.requests != [page.as_uri()] or browser.complaints:
                fail(f"{page.name} asked for {browser.requests} and says {browser.complaints}")
            if browser.value("document.documentElement.scrollWidth") > width:
                fail(f"{page.name} is wider than a window of {width} pixels")
    unnamed = browser.value("[...document.querySelectorAll('[data-way], [data-mark], figure svg, "
                            ".row svg[tabindex]')].filter(one => !one.ariaLabel).length")
    if unnamed:
        fail(f"{unnamed} marks of {page.name} have no words for a screen reader")


def check_link(browser, page, state):
    """The address bar restores what a key and a box have changed."""
    browser.value("document.querySelector('.row svg[tabindex]').focus()")
    browser.key("+")
    link, view = browser.value("location.hash"), browser.value(state)
    browser.open(page, link)
    if "from=" not in link or browser.value(state) != view:
        fail(f"the link {link} of {page.name} shows {browser.value(state)}, expected {view}")


def check_hostile(browser, page, data, texts):
    """Puts hostile text in place of each of these texts of the page's data."""
    text = page.read_text()
    before, after = text.index('id="data">') + len('id="data">'), text.rindex("<script>")
    own = json.dumps(data)
    for one in texts:
        if json.dumps(one) not in own:
            fail(f"{page.name} has no text {one!r} to make hostile")
        own = own.replace(json.dumps(one), json.dumps(HOSTILE))
    bad = page.with_name("hostile.html")
    bad.write_text(text[:before] + own.replace("<", "\\u003c") + "</script>\n" + text[after:])
    browser.open(bad)
    if browser.value("window.hacked") is not None or browser.value("document.images.length"):
        fail(f"text of {page.name} was taken for HTML")
    if browser.complaints or HOSTILE not in browser.value("document.body.textContent"):
        fail(f"{page.name} does not show a hostile text as it is: {browser.complaints}")


def check_exploration(browser, spotsim, scenarios, folder):
    out = folder / "explored"
    called(spotsim, "explore", scenarios / "az-hop.yaml", "--set", THREE_BOOTS, "--kinds",
           "interrupt", "--runs", "60", "--out", out, "--quiet", status=1)
    called(spotsim, "report", out)
    check_schema(json.loads((out / "explore.json").read_text()), "explore")
    data, page = json.loads(called(spotsim, "report", out, "--json")), out / "report.html"
    check_looks(browser, page)
    broken = sum(len(point["broken"]) for point in data["points"])
    if shown(browser, "tried") != [data["singles"]["interrupt"]["tried"]] or \
            shown(browser, "broke") != [broken] or not broken:
        fail(f"{broken} faults broke something, the page shows {shown(browser, 'broke')}")
    for key in ("runs", "strike_points", "instants"):
        if shown(browser, key) != [data[key]]:
            fail(f"the page shows {key} as {shown(browser, key)}, expected {data[key]}")
    commands = browser.value("[...document.querySelectorAll('#broken .command')].map("
                             "one => one.textContent)")
    if commands != [failure["command"] for failure in data["failures"]]:
        fail(f"the page shows the commands {commands}")
    if not browser.value("document.querySelectorAll('[data-mark=broke]').length"):
        fail("no strike point is shown as one that broke something")
    browser.value("document.querySelector('#broken button').click()")
    browser.settle()
    if "from=" not in browser.value("location.hash") or \
            "strikes" not in browser.value("document.activeElement.ariaLabel"):
        fail("a failing plan does not lead to its place in the timeline")
    browser.open(page)
    check_link(browser, page, "document.querySelector('.axis').textContent")
    check_hostile(browser, page, data, [data["failures"][0]["found"], data["points"][0]["about"]])


def check_advice(browser, spotsim, folder):
    (folder / "nightly.yaml").write_text(JOB)
    (folder / "prices.csv").write_text(PRICES)
    out = folder / "advised"
    called(spotsim, "advise", folder / "nightly.yaml", "--out", out)
    called(spotsim, "report", out)
    data, page = json.loads((out / "advice.json").read_text()), out / "report.html"
    check_looks(browser, page)
    if shown(browser, "cost_usd") != [data["best"]["cost_usd"]["mean"]]:
        fail(f"the page shows the cost {shown(browser, 'cost_usd')}")
    if data["save"] not in browser.value("document.querySelector('.verdict').textContent"):
        fail("the page does not begin with the verdict")
    if browser.value("document.querySelectorAll('figure').length") != 3:
        fail("the page has not three pictures")
    ways = [way["policy"] for way in data["saves"] if way["interval_h"]]
    drawn = browser.value("[...document.querySelectorAll('figure:first-child [data-way]')].map("
                          "one => one.dataset.way)")
    if sorted(ways) != sorted(drawn):
        fail(f"the page draws the ways to save {drawn}, expected {ways}")
    browser.value("document.querySelector('[data-way]').focus()")
    browser.settle()
    if browser.value("document.getElementById('tip').hidden"):
        fail("a point that has the focus shows no note")
    check_hostile(browser, page, data, [data["job"]["name"], data["meaning"], data["text"]])


def check_trace(browser, spotsim, scenarios, folder):
    page = folder / "trace.html"
    trace = scenarios / "traces/skynomad/h100/us-west1-b_h100_16.json.gz"
    called(spotsim, "trace", "plot", trace, "--out", page)
    pools = json.loads(called(spotsim, "trace", "stats", trace, "--json"))["pools"]
    check_looks(browser, page)
    for key in ("interruptions", "available", "mean_up_hours"):
        if shown(browser, key) != [pool[key] for pool in pools]:
            fail(f"the page shows {key} as {shown(browser, key)}, expected that of {pools}")
    check_link(browser, page, "document.querySelector('.axis').textContent")
    own = page.read_text().split('id="data">')[1].split("</script>")[0]
    check_hostile(browser, page, json.loads(own), [pools[0]["pool"]])


def main():
    spotsim, scenarios = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="report-pages-") as scratch, Browser() as browser:
        folder = pathlib.Path(scratch).resolve()
        check_exploration(browser, spotsim, scenarios, folder)
        check_advice(browser, spotsim, folder)
        check_trace(browser, spotsim, scenarios, folder)


main()
