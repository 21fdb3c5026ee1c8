"""side_by_side.py SPOTSIM SCENARIO: two runs at once with one seed both end well, with one log."""
import subprocess
import sys
import tempfile

from support import fail, first_difference, need_lockstep

spotsim, scenario = sys.argv[1:]
need_lockstep()
with tempfile.TemporaryDirectory(prefix="side-by-side-") as folder:
    runs = [subprocess.Popen([spotsim, "run", scenario, "--out", f"{folder}/{i}", "--quiet"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for i in range(2)]
    for run in runs:
        _, said = run.communicate()
        if run.returncode != 0:
            fail(f"exit {run.returncode}\n{said[-3000:]}")
    logs = []
    for i in range(2):
        with open(f"{folder}/{i}/events.jsonl", "rb") as log:
            logs.append(log.read())
    if logs[0] != logs[1]:
        fail(first_difference(*logs))
    print(f"two equal logs of {len(logs[0])} bytes")
