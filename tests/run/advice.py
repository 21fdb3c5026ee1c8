"""advice.py SPOTSIM SCENARIOS: advice on the shipped jobs has at most ten lines. Its JSON fits
docs/advice-result.schema.json, also for a job whose spot instances are too dear. Without and with a
trace, two calls give the same advice."""
import json
import pathlib
import subprocess
import sys
import tempfile

from support import check_schema, fail

MOST_LINES = 10
SPOT_TOO_DEAR = """instance_type: p3.2xlarge
work: 5h
deadline: 10h
trace: TRACE
windows: 20
spot: 5.00
"""


def advised(spotsim, job, *options):
    return subprocess.run([spotsim, "advise", str(job), *options], capture_output=True, text=True,
                          check=True).stdout


def advice_json(spotsim, job):
    advice = json.loads(advised(spotsim, job, "--json"))
    check_schema(advice, "advice-result")
    return advice


def advised_twice(spotsim, job):
    """As JSON and as text, which must agree."""
    advice = advice_json(spotsim, job)
    if advice["summary"] != advised(spotsim, job):
        fail(f"{job.name}: two calls gave different answers")
    return advice


spotsim, scenarios = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
jobs = sorted((scenarios / "advice").glob("*.yaml"))
if not jobs:
    fail(f"no jobs in {scenarios}/advice")
for job in jobs:
    # One call for the nine zones of v100 takes half a minute.
    text = (advice_json if job.stem == "v100" else advised_twice)(spotsim, job)["summary"]
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        fail(f"{job.name}: {len(lines)} lines, expected at most {MOST_LINES}: {text}")
    for line in lines:
        if len(line) > 110:
            fail(f"{job.name}: {len(line)} columns: {line}")
    print(f"{job.name}: {len(lines)} lines")
with tempfile.TemporaryDirectory(prefix="advice-") as folder:
    own = pathlib.Path(folder, "dear.yaml")
    own.write_text(SPOT_TOO_DEAR.replace("TRACE", f"{scenarios}/traces/us-west-2-gpu.json"))
    best, save = (advised_twice(spotsim, own)[key] for key in ("best", "save"))
    if best["strategy"] != "on-demand" or save is not None:
        fail(f"advises {best['strategy']} and to save {save}, expected on-demand")
