"""serve_ui_in_browser.py SPOTSIM SCENARIO: the live page of `spotsim serve --ui` in Chromium. boto3
launches instances. The buttons of the page advance the clock, interrupt an instance, drain a pool,
set a price and inject a fault."""
import json
import subprocess
import sys

from browser import Browser
from serve_support import Served
from support import fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

HOSTILE = ("</script><img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
           "\u2028'\"`${1}")
POOL = "p3.2xlarge/us-west-2b"
ROW = "document.querySelector('#instances tr[data-instance]')"
CELLS = f"[...{ROW}.cells].map(cell => cell.textContent)"
SAID = "document.querySelector('.said').textContent"


SPOT = {"InstanceMarketOptions": {"MarketType": "spot"}}


def launch(ec2, count, **more):
    made = ec2.run_instances(
        ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge", MinCount=count, MaxCount=count,
        Placement={"AvailabilityZone": "us-west-2b"}, **more)
    return [one["InstanceId"] for one in made["Instances"]]


def press(browser, label):
    """Clicks a button, by the beginning of its name for screen readers."""
    selector = f"button[aria-label^={json.dumps(label)}]"
    browser.value(f"document.querySelector({json.dumps(selector)}).click()")


def fill(browser, label, text):
    browser.value(f"document.querySelector('input[aria-label={json.dumps(label)}]').value = "
                  f"{json.dumps(text)}")


def figure(name):
    return (f"[...document.querySelectorAll('.figure')].find(one => one.firstChild.textContent === "
            f"{json.dumps(name)}).lastChild.textContent")


def check_instance(browser, served, ec2):
    instance, = launch(ec2, 1, **SPOT)
    browser.wait(f"!!{ROW} && {CELLS}[0] === '{instance}' && {CELLS}[1] === 'pending'")
    browser.wait("!!document.querySelector('#timeline [data-what=pending]')")
    press(browser, "advance the clock: +10 min")
    browser.wait(f"{CELLS}[1] === 'running'")
    browser.wait(f"{figure('since the start')} === '10m'")
    browser.wait("!!document.querySelector('#timeline [data-what=boot]')")
    if served.get("clock")["now"] != "2019-11-05T10:10:00.000000000Z":
        fail(f"the button has not moved the clock: {served.get('clock')}")
    press(browser, f"give a notice and interrupt {instance}")
    browser.wait(f"{CELLS}[5] === '2019-11-05T10:10:00'")
    browser.wait("!!document.querySelector('[data-mark=fault], [data-mark=notice]')")
    if served.get("instances")["instances"][0]["notice_at"] is None:
        fail("the button has not interrupted the instance")
    if instance not in browser.value(SAID):
        fail(f"the page says {browser.value(SAID)!r} of the interruption")
    fill(browser, "advance by", "10m")
    press(browser, "advance the clock by this")
    browser.wait(f"!{ROW} && document.querySelector('#instances .hint').textContent"
                 ".includes('1 have ended')")
    if served.get("instances")["instances"][0]["state"] != "terminated":
        fail("the instance is not gone, though the page says so")
    launched = browser.value("document.querySelectorAll('#timeline [data-what]').length")
    if launched < 2:
        fail("the timeline has no bars")


def check_pool(browser, served, ec2):
    first, second = launch(ec2, 2, **SPOT)
    fill(browser, "pool", POOL)
    fill(browser, "slots", "1")
    press(browser, "limit the pool")
    browser.wait(f"{SAID}.startsWith('drain: i-')")
    struck = [one["instance"] for one in served.get("instances")["instances"]
              if one["notice_at"] and one["state"] != "terminated"]
    if len(struck) != 1 or struck[0] not in (first, second):
        fail(f"drained to one slot, these have a notice: {struck}")
    fill(browser, "price", "0.5")
    press(browser, "set the pool's spot price")
    browser.wait(f"{SAID} === 'price'")
    price = ec2.describe_spot_price_history(
        InstanceTypes=["p3.2xlarge"], AvailabilityZone="us-west-2b")["SpotPriceHistory"][0]
    if float(price["SpotPrice"]) != 0.5:
        fail(f"the button has set the price to {price['SpotPrice']}")


def check_fault(browser, ec2):
    browser.value("(() => { const kinds = document.querySelector('select'); kinds.value = "
                  "'api-throttled'; kinds.dispatchEvent(new Event('change')) })()")
    fill(browser, "action", "DescribeVpcs")
    fill(browser, "times", "1")
    press(browser, "inject this fault now")
    browser.wait(f"{SAID}.includes('api-throttled')")
    ec2.describe_vpcs()  # boto3 tries again
    browser.wait("!!document.querySelector('[data-mark=refused-call], [data-mark=fault]')")
    fill(browser, "advance by", "soon")
    press(browser, "advance the clock by this")
    browser.wait(f"{SAID} === 'clock failed: by: found soon, expected a duration such as 90s'")


def check_hostile(browser, ec2):
    volume = ec2.create_volume(AvailabilityZone="us-west-2b", Size=1)["VolumeId"]
    browser.wait("[...document.querySelectorAll('.label b')].some(one => one.textContent === "
                 f"'{volume}')")
    ec2.create_tags(Resources=[volume], Tags=[{"Key": "Name", "Value": HOSTILE}])
    browser.wait("[...document.querySelectorAll('.label b')].some(one => one.textContent === "
                 f"{json.dumps(HOSTILE)})")
    if browser.value("window.hacked") is not None or browser.value("document.images.length"):
        fail("the name of a volume was run as a script")
    browser.value("document.body.insertAdjacentHTML('beforeend', '<img src=x "
                  "onerror=window.hacked=1><b onclick=window.hacked=1 id=bait>x</b>'), "
                  "document.getElementById('bait').click()")
    if browser.value("window.hacked") is not None:
        fail("the page's policy lets inline scripts run")
    browser.complaints.clear()  # the policy's own


def check_many(browser, ec2):
    """Hundreds of instances and calls, while the page goes on answering."""
    for _ in range(3):
        launch(ec2, 100)
    for _ in range(200):
        ec2.describe_vpcs()
    browser.wait(f"Number({figure('instances up')}) >= 300 && Number({figure('requests')}) > 200")
    spent = browser.value(
        "new Promise(done => { const begin = performance.now(); requestAnimationFrame(() => "
        "requestAnimationFrame(() => done(performance.now() - begin))) })")
    print(f"with 300 instances two pictures take {spent:.0f} ms")


def check_looks(browser):
    for width in (1280, 400):
        for dark in (False, True):
            browser.size(width, dark=dark)
            browser.settle()
            found = browser.value("document.documentElement.scrollWidth")
            if found > width:
                fail(f"the page is {found} pixels wide where the window has {width}")
    unnamed = browser.value(
        "[...document.querySelectorAll('button, input, select')].filter(one => "
        "!one.getAttribute('aria-label') && !one.closest('label')).length")
    if unnamed:
        fail(f"{unnamed} buttons and fields have no name for a screen reader")


def check_reconnects(browser, spotsim, scenario, served):
    port = str(served.port)
    served.stop()
    browser.wait("document.getElementById('connection').textContent === 'not connected'")
    again = subprocess.Popen(
        [spotsim, "serve", scenario, "--speed", "manual", "--ui", "--port", port],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        browser.wait("document.getElementById('connection').textContent === 'live'")
        browser.wait(f"!{ROW} && {figure('since the start')} === '0s'")
    finally:
        again.terminate()
        again.wait()


def main():
    spotsim, scenario = sys.argv[1:]
    with Browser() as browser:
        with Served(spotsim, scenario, "--speed", "manual", "--ui") as served:
            ec2 = boto3.client("ec2", endpoint_url=served.url, region_name="us-west-2",
                               aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")
            browser.size(1280)
            browser.visit(served.ready["ui"])
            browser.wait("document.getElementById('connection').textContent === 'live'")
            check_instance(browser, served, ec2)
            check_hostile(browser, ec2)
            check_pool(browser, served, ec2)
            check_fault(browser, ec2)
            check_many(browser, ec2)
            check_looks(browser)
            if outside := [one for one in browser.requests if not one.startswith(served.url)
                           and not one.startswith("data:")]:
                fail(f"the page asked for {outside}")
            refused = [one for one in browser.complaints if "status of 400" not in one]
            if refused:
                fail(f"the page complains: {refused}")
            check_reconnects(browser, spotsim, scenario, served)


main()
