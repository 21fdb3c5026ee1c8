"""serve_state.py SPOTSIM SCENARIO: `spotsim serve --state`, killed amid calls, many times: what was
answered is there."""
import json
import random
import re
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from serve_support import Served
from support import fail

spotsim, scenario = sys.argv[1:]
ROUNDS, CLIENTS = 20, 4
HEADERS = {"Content-Type": "application/x-www-form-urlencoded",
           "Authorization": "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/ec2/aws4_request, "
                            "SignedHeaders=host, Signature=0"}


def ec2(url, call):
    request = urllib.request.Request(url, f"Version=2016-11-15&Action={call}".encode(), HEADERS)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def call_until_it_is_gone(url, volumes):
    while True:
        try:
            text = ec2(url, "CreateVolume&AvailabilityZone=us-west-2b&Size=1")
        except (OSError, urllib.error.URLError, ValueError):
            return
        except Exception as error:  # a cut answer: http.client has many names for it
            if type(error).__module__ == "http.client":
                return
            raise
        volumes.append(re.search("<volumeId>(.*)</volumeId>", text).group(1))


def log_of_the_same_calls():
    with Served(spotsim, scenario, "--speed", "manual") as served:
        for size in range(1, 4):
            ec2(served.url, f"CreateVolume&AvailabilityZone=us-west-2b&Size={size}")
            served.control("clock", {"by": "7m"})
        ec2(served.url, "DescribeVolumes&MaxResults=5")
        served.control("drain", {"pool": "p3.2xlarge/us-west-2b"})
        served.control("clock", {"next": True})
        return served.log()


if log_of_the_same_calls() != log_of_the_same_calls():
    fail("the same calls by hand gave two logs")

random.seed(13)
answered = []
with tempfile.TemporaryDirectory() as folder:
    state = f"{folder}/state.db"
    for round_number in range(ROUNDS):
        with Served(spotsim, scenario, "--state", state, "--speed", "60x") as served:
            there = set(re.findall("<volumeId>(vol-[^<]*)</volumeId>",
                                   ec2(served.url, "DescribeVolumes")))
            lost = [volume for volume in answered if volume not in there]
            if lost:
                fail(f"round {round_number}: answered and gone: {lost}")
            threads = [threading.Thread(target=call_until_it_is_gone, args=(served.url, answered))
                       for _ in range(CLIENTS)]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.02, 0.3))
            served.process.kill()
            served.process.wait()
            for thread in threads:
                thread.join()
    if len(answered) < ROUNDS:
        fail(f"only {len(answered)} calls were answered, expected more")
    print(f"{len(answered)} calls were answered and are there after {ROUNDS} kills")

    with Served(spotsim, scenario, "--state", state, "--speed", "manual") as served:
        before, clock = served.log(), served.get("clock")["now"]
    with Served(spotsim, scenario, "--state", state, "--speed", "manual") as served:
        if served.log() != before or served.get("clock")["now"] != clock:
            fail("a start with nothing new is not where the last one was")
        status, text = served.control("reset", {})
        if status != 200:
            fail(f"reset: {text}")
        served.process.kill()
    with Served(spotsim, scenario, "--state", state, "--speed", "manual") as served:
        if served.get("clock")["now"] != json.loads(text)["now"]:
            fail("a reset is not there after a kill")
        if "CreateVolume" in served.log():
            fail("a reset forgot nothing")
