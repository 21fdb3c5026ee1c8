"""A run that a fault makes endless does not keep `explore --time` from ending, and is reported.

explore_cut_off.py SPOTSIM SCENARIO
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from support import check_schema, fail, need_lockstep

spotsim, scenario = sys.argv[1:]
need_lockstep()
source = pathlib.Path(scenario)
BUDGET = 20
# Millions of pauses until the limit of the scenario take many minutes.
STUCK = "    AWS_MAX_ATTEMPTS=1 aws ec2 describe-vpcs >/dev/null || while :; do sleep 0.001; done\n"

with tempfile.TemporaryDirectory(prefix="explore-cut-off-") as folder:
    text = source.read_text(encoding="utf-8").replace("traces/", f"{source.parent}/traces/")
    script = re.search(r"^operator:.*?script: \|\n(?: +#!.*\n)?", text, flags=re.M | re.S)
    file = pathlib.Path(folder, "stuck.yaml")
    file.write_text(text[:script.end()] + STUCK + text[script.end():], encoding="utf-8")
    began = time.monotonic()
    done = subprocess.run(
        [spotsim, "explore", file, "--guest", "process", "--kinds", "api-error", "--time",
         f"{BUDGET}s", "--threads", "1", "--out", f"{folder}/out"],
        capture_output=True, text=True, check=False, timeout=240)
    took = time.monotonic() - began
    if "runs cut off, because they had not ended after --time: " not in done.stdout:
        fail(f"exit {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    found = json.loads(pathlib.Path(folder, "out/explore.json").read_text(encoding="utf-8"))
    check_schema(found, "explore")
    if len(found["cut_off"]) != 1 or "DescribeVpcs" not in found["cut_off"][0]:
        fail(f"cut off: {found['cut_off']}")
    if found["complete"] or took > BUDGET + 60:
        fail(f"complete: {found['complete']}, after {took:.0f} s")
    print(f"ended {took:.0f} s after it began, with {found['runs']} runs")
