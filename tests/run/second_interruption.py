"""second_interruption.py SPOTSIM AZ_HOP: power cut in the middle of the volume's hop, at each of
its steps. A third instance finishes it: one tagged volume is left, no snapshot, the job is done.

Unless $SPOTSIM_LONG is set at one of the steps only."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

from support import Run, fail

FIRST = "  - {at: 1h18m, pool: p3.2xlarge/us-west-2b, notice: 2m, capacity_after: 0}\n"
SECOND = "  - {instance: 3, after: AFTER, notice: none, capacity_after: 0}\n"
EXPECTED = [
    ("attempts: 2", "attempts: 3\n  snapshots: 0"),
    ("[us-west-2b, us-west-2a]", "[us-west-2b, us-west-2a, us-west-2c]"),
    ("[interrupted, finished]", "[interrupted, interrupted, finished]"),
]
# From when the second instance runs, and the step of the hop that it then is in.
STRIKES = {"77s": "create-volume"}
if os.environ.get("SPOTSIM_LONG"):
    STRIKES |= {"40s": "snapshot", "85s": "attach"}


def phase_at_second_interruption(events):
    phase = None
    for line in events.splitlines():
        event = json.loads(line)
        if event["event"] == "orchestrator.phase":
            phase = event["name"]
        if (event["event"], event.get("notice")) == ("instance.interrupted", False):
            return phase
    return None


spotsim, scenario = sys.argv[1:]
scenario = pathlib.Path(scenario)
with tempfile.TemporaryDirectory(prefix="second-interruption-") as folder:
    folder = pathlib.Path(folder)
    for name in ("cifar10-job", "code", "traces"):
        shutil.copytree(scenario.parent / name, folder / name)
    for after, step in STRIKES.items():
        text = scenario.read_text()
        for before, replacement in [(FIRST, FIRST + SECOND.replace("AFTER", after)), *EXPECTED]:
            if before not in text:
                fail(f"{scenario} no longer has: {before}")
            text = text.replace(before, replacement)
        (folder / "second.yaml").write_text(text)
        run = Run(spotsim, str(folder / "second.yaml"), out=folder / after)
        if run.status != 0:
            fail(f"after {after}: exit {run.status}\n{run.process.stderr[-3000:]}")
        phase = phase_at_second_interruption(run.events)
        if phase != step:
            fail(f"after {after} the hop is at {phase}, not {step}")
        print(f"power cut during {step}: the job is completed, one volume is left")
