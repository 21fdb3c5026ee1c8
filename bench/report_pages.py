#!/usr/bin/env python3
"""report_pages.py SPOTSIM: how fast large pages of reports are, in headless Chromium.

A sweep with 100,000 rows: the time from the navigation to the first picture, and the processor time
of the page's main thread. A run with 500 instances and 100,000 marks: the time of each picture
while the wheel zooms and a drag pans, and the same processor time for each picture.
"""
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/run"))
from browser import Browser  # noqa: E402

ROWS, INSTANCES, MARKS, DAYS = 100_000, 500, 200, 3
SPANS = ("boot", "migrate", "restore", "train_kept", "checkpoint")
KINDS = ("call", "checkpoint", "attachment", "phase", "notice", "training")
NUMBERS = ("cost_usd_mean cost_usd_sd cost_usd_p5 cost_usd_p50 cost_usd_p95 cost_usd_ci95 "
           "makespan_h_mean makespan_h_ci95 spot_billed_h interruptions late_share savings "
           "dearer_than_first_usd_mean dearer_than_first_usd_ci95").split()


def sweep(folder):
    """Ten settings, each with ten thousand variants."""
    folder.mkdir()
    database = sqlite3.connect(folder / "results.db")
    names = ["lifetime", "interval", "rank", "n", *NUMBERS, "pareto"]
    database.execute("CREATE TABLE runs(lifetime, seed, interval, finished)")
    database.execute(f"CREATE TABLE summary({', '.join(names)})")
    rows = ([f"{row % 10 + 1}h", f"{row // 10 % 997 + 1}m({row // 9970 + 1}m)", row // 10 + 1, 20,
             *(round(random.uniform(5, 9), 6) for _ in NUMBERS), int(row < 300)]
            for row in range(ROWS))
    database.executemany(f"INSERT INTO summary VALUES({', '.join('?' * len(names))})", rows)
    database.commit()
    database.close()
    commands = (f"spotsim run scenarios/no-interruption.yaml --set limit=48h --set deadline=12h "
                f"--set trainer.policy=time:{row}s --seed 1 --guest fiber" for row in range(ROWS))
    (folder / "command.txt").write_text("spotsim sweep s.yaml\n" + "\n".join(commands) + "\n")
    return folder


class Log:
    """Lanes, marks and the lines of the log that they refer to."""

    def __init__(self):
        self.lines = {}
        self.lanes, self.marks = [], []
        for number in range(INSTANCES):
            self.add_instance(f"i-{number:017x}")
        self.marks.sort(key=lambda mark: mark["at"])

    def line(self):
        number = len(self.lines) + 1
        self.lines[str(number)] = json.dumps({
            "time": "2019-11-05T10:04:31.123456789Z", "event": "api.call", "service": "ec2",
            "action": "DescribeVolumes", "caller": "i-0ee99b6e4271e402e", "result": "ok"})
        return number

    def add_instance(self, name):
        begin = random.uniform(0, DAYS * 50_000)
        end, at, spans = begin + random.uniform(3600, DAYS * 36_000), begin, []
        while at < end:
            long = random.uniform(60, 3600)
            spans.append({"what": SPANS[len(spans) % 5], "from": at, "to": min(end, at + long),
                          "lines": [self.line()]})
            at += long
        self.lanes.append({"kind": "instance", "id": name, "name": "spot p3.2xlarge",
                           "pool": f"p3.2xlarge/us-west-2{random.choice('abcd')}", "spans": spans})
        for _ in range(MARKS):
            self.marks.append({"kind": random.choice(KINDS), "lane": name, "line": self.line(),
                               "at": random.uniform(begin, end), "text": "DescribeVolumes"})


def run_page(spotsim, folder):
    """The page of a short run with other lanes and marks in it."""
    called(spotsim, "run", ROOT / "scenarios/az-hop.yaml", "--guest", "fiber", "--out", folder,
           "--report", "--quiet")
    data = json.loads(called(spotsim, "report", folder, "--json"))
    log = Log()
    data |= {"lanes": log.lanes, "marks": log.marks, "lines": log.lines, "training": []}
    data["time"]["seconds"] = DAYS * 86_400
    text = (folder / "report.html").read_text()
    begin = text.index('id="data">') + len('id="data">')
    own = json.dumps(data).replace("<", "\\u003c")
    page = folder / "large.html"
    page.write_text(text[:begin] + own + "</script>\n" + text[text.rindex("<script>"):])
    return page


def called(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def busy(browser):
    """Seconds of processor time of the main thread."""
    metrics = browser.call("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "TaskDuration")


def measure_opening(browser, name, page):
    for _ in range(3):
        browser.call("Page.navigate", url="about:blank")
        begin = time.monotonic()
        browser.open(page)
        print(f"{name}: {page.stat().st_size / 1e6:.1f} MB, open after "
              f"{time.monotonic() - begin:.2f} s, main thread {busy(browser):.2f} s")


def measure_pictures(browser, name, acts):
    browser.value("(() => { window.pictures = []; let last = performance.now(); window.go = true;"
                  "const next = now => { pictures.push(now - last); last = now; if (go) "
                  "requestAnimationFrame(next) }; requestAnimationFrame(next) })()")
    before = busy(browser)
    for act in acts:
        browser.call("Input.dispatchMouseEvent", **{"x": 700, "y": 450, **act})
    took = sorted(browser.value("(window.go = false, pictures)"))
    print(f"{name}: {len(took)} pictures, median {took[len(took) // 2]:.0f} ms, 95 % within "
          f"{took[len(took) * 95 // 100]:.0f} ms, main thread "
          f"{1000 * (busy(browser) - before) / len(took):.0f} ms a picture")


def main():
    random.seed(1)
    spotsim = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch, Browser() as browser:
        folder = pathlib.Path(scratch).resolve()
        browser.size(1280)
        browser.call("Network.disable")  # it copies each page
        browser.call("Performance.enable", timeDomain="threadTicks")
        called(spotsim, "report", sweep(folder / "sweep"))
        measure_opening(browser, "sweep", folder / "sweep/report.html")
        measure_opening(browser, "run", run_page(spotsim, folder / "run"))
        browser.value("document.querySelectorAll('.row')[60].scrollIntoView()")
        browser.settle()
        wheel = {"type": "mouseWheel", "deltaX": 0, "modifiers": 2}
        measure_pictures(browser, "zoom in", [{**wheel, "deltaY": -60}] * 40)
        measure_pictures(browser, "zoom out", [{**wheel, "deltaY": 60}] * 20)
        drag = {"button": "left", "buttons": 1}
        browser.call("Input.dispatchMouseEvent", type="mousePressed", x=700, y=450, clickCount=1,
                     **drag)
        measure_pictures(browser, "pan",
                         [{"type": "mouseMoved", **drag, "x": 700 + 8 * (step % 40) - 160}
                          for step in range(80)])
        browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=700, y=450, clickCount=1,
                     button="left")
        measure_pictures(browser, "scroll",
                         [{"type": "mouseWheel", "deltaX": 0, "deltaY": 300}] * 40)


main()
