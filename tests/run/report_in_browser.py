"""report_in_browser.py SPOTSIM SCENARIO LOG: the page of the run that wrote LOG, in Chromium."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from browser import Browser
from support import fail, skip

HOSTILE = ("</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
           "\u2028'\"`${1}")
MOST_BYTES = 1 << 20  # of a page without its data


def page_of(spotsim, run, page):
    done = subprocess.run([spotsim, "report", run, "--out", page], capture_output=True, text=True,
                          check=False)
    if "was built without the page" in done.stderr:
        skip("the build had no esbuild or d3")
    if done.returncode != 0:
        fail(f"exit {done.returncode}: {done.stderr}")


def at(result, path):
    for key in path.split("."):
        result = result[key]
    return result


def check_quiet(browser, page):
    if browser.requests != [page.as_uri()]:
        fail(f"the page asked for {browser.requests}")
    if browser.complaints:
        fail(f"the page complains: {browser.complaints}")


def check_numbers(browser, result):
    shown = browser.value("[...document.querySelectorAll('data')].map(one => "
                          "[one.dataset.key, Number(one.value), one.textContent])")
    own = {"lost_steps": result["lost_progress"]["steps"]}
    attempts = {"steps_kept": "steps_kept", "attempt_cost_usd": "cost_usd"}
    for key, value, text in shown:
        if key in attempts or key == "steps_lost":
            continue
        expected = own[key] if key in own else at(result, key)
        if value != expected:
            fail(f"the page shows {key} as {value}, expected {expected}")
        if "usd" in key and float(text.replace("$", "")) != round(value, 4):
            fail(f"the page shows {key} as {text}, expected {value}")
    for key, name in attempts.items():
        values = [value for found, value, _ in shown if found == key]
        if values != [attempt[name] for attempt in result["attempts"]]:
            fail(f"the attempts show {name} as {values}")
    if len(shown) < 24:
        fail(f"found {len(shown)} numbers on the page, expected more")
    verdicts = browser.value("document.querySelectorAll('.verdicts li.holds').length")
    holds = sum(one["holds"] for one in result["expectations"] + result["invariants"])
    if verdicts != holds:
        fail(f"{verdicts} verdicts hold on the page, expected {holds}")


def check_text_for_all(browser):
    unnamed = browser.value("[...document.querySelectorAll('[data-what], [data-mark]')].filter("
                            "one => !one.getAttribute('aria-label')).length")
    items = browser.value("document.querySelectorAll('[data-what], [data-mark]').length")
    if unnamed or items < 5:
        fail(f"{unnamed} of {items} bars and marks have no text for a screen reader")


def axis(browser):
    return browser.value("document.querySelector('.axis').textContent")


def check_keys(browser, page):
    whole = axis(browser)
    browser.value("document.querySelector('[data-what=train_kept]').closest('svg').focus()")
    browser.key("ArrowRight")
    if not browser.value("document.activeElement.getAttribute('aria-label')"):
        fail("ArrowRight does not go to the first item of a lane")
    if not browser.value("!document.getElementById('tip').hidden"):
        fail("an item that has the focus shows no note")
    browser.key("Escape")
    if not browser.value("document.getElementById('tip').hidden"):
        fail("Escape does not hide the note")
    browser.key("+")
    nearer = axis(browser)
    browser.key("ArrowRight", shift=True)
    if axis(browser) in (nearer, whole):
        fail("Shift and ArrowRight do not move")
    zoomed, link = axis(browser), browser.value("location.hash")
    if zoomed == whole or "from=" not in link:
        fail(f"the key + does not zoom: {zoomed}, address {link}")
    browser.open(page, link)
    if axis(browser) != zoomed or browser.value("location.hash") != link:
        fail(f"the link {link} shows {axis(browser)}, expected {zoomed}")
    browser.value("document.querySelector('[data-what]').closest('svg').focus()")
    browser.key("0")
    if axis(browser) != whole or browser.value("location.hash"):
        fail("the key 0 does not show the whole run")


def check_filter(browser):
    counts = "document.querySelectorAll('[data-mark=checkpoint]').length"
    before = browser.value(counts)
    browser.value("[...document.querySelectorAll('label')].find(one => "
                  "one.textContent === 'checkpoint').click()")
    browser.settle()
    link = browser.value("location.hash")
    if not before or browser.value(counts) or "hide=checkpoint" not in link:
        fail(f"of {before} checkpoints {browser.value(counts)} are left, the address is {link!r}")


def check_mouse(browser):
    browser.value("document.querySelector('[data-what=train_kept]').scrollIntoView("
                  "{block: 'center'})")
    x, y = browser.value("(() => { const box = document.querySelector('[data-what=train_kept]')"
                         ".getBoundingClientRect(); return [box.left + box.width / 2, "
                         "box.top + 9] })()")
    browser.settle()
    browser.mouse("mouseMoved", x, y)
    text = browser.value("document.getElementById('tip').textContent")
    if "training, kept" not in text or not re.search(r'line \d+ \{"time"', text):
        fail(f"the note beside the pointer says {text!r}")
    before = axis(browser)
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300, modifiers=2)
    if axis(browser) == before:
        fail("Ctrl and the wheel do not zoom")


def check_hostile(browser, spotsim, run, folder):
    bad = pathlib.Path(folder, "hostile")
    shutil.copytree(run, bad, ignore=shutil.ignore_patterns("console"))
    result = json.loads((bad / "result.json").read_text())
    result["scenario"] = result["outcome"] = HOSTILE
    result["assumptions"].append(HOSTILE)
    result["invariants"][0] |= {"holds": False, "found": HOSTILE, "lines": [HOSTILE]}
    (bad / "result.json").write_text(json.dumps(result, ensure_ascii=False))
    (bad / "command.txt").write_text(HOSTILE)
    lines = []
    for line in (bad / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        for key in ("reason", "name", "description", "result", "action"):
            if key in event:
                event[key] = HOSTILE
        if event["event"] == "tags.created":
            event["tags"] = {"Name": HOSTILE}
        lines.append(json.dumps(event, ensure_ascii=False) + "\n")
    (bad / "events.jsonl").write_text("".join(lines))
    page = pathlib.Path(folder, "hostile.html").resolve()
    page_of(spotsim, bad, page)
    browser.open(page)
    check_quiet(browser, page)
    if browser.value("window.hacked") is not None:
        fail("text of a run was run as a script")
    if HOSTILE not in browser.value("document.querySelector('h1').textContent"):
        fail("the page does not show the text as it is")
    if browser.value("document.images.length") != 0:
        fail("text of a run became an image")


def main():
    spotsim, _, log = sys.argv[1:]
    run = pathlib.Path(log).parent
    with tempfile.TemporaryDirectory(prefix="report-") as folder, Browser() as browser:
        page = pathlib.Path(folder, "report.html").resolve()
        page_of(spotsim, run, page)
        own = page.read_text().split('id="data">')[1].split("</script>")[0]
        if page.stat().st_size - len(own) > MOST_BYTES:
            fail(f"the page has {page.stat().st_size - len(own)} bytes without its data")
        browser.size(1280)
        browser.open(page)
        check_quiet(browser, page)
        check_numbers(browser, json.loads((run / "result.json").read_text()))
        check_text_for_all(browser)
        check_mouse(browser)
        browser.open(page)
        check_keys(browser, page)
        check_filter(browser)
        for width in (1280, 400):
            for dark in (False, True):
                browser.size(width, dark=dark)
                browser.open(page)
                found = browser.value("document.documentElement.scrollWidth")
                if found > width:
                    fail(f"the page is {found} pixels wide where the window has {width}")
                check_quiet(browser, page)
        check_hostile(browser, spotsim, run, folder)


main()
