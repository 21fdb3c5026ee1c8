"""advice.py SPOTSIM SCENARIOS: advice on the shipped jobs fits a terminal, the same each time."""
import pathlib
import subprocess
import sys

from support import fail

spotsim, scenarios = sys.argv[1:]
jobs = sorted((pathlib.Path(scenarios) / "advice").glob("*.yaml"))
if not jobs:
    fail(f"no jobs in {scenarios}/advice")
for job in jobs:
    told = {subprocess.run([spotsim, "advise", str(job)], capture_output=True, text=True,
                           check=True).stdout for _ in range(2)}
    if len(told) != 1:
        fail(f"{job.name} was told two things")
    lines = told.pop().splitlines()
    for line in lines:
        if len(line) > 110:
            fail(f"{job.name}: {len(line)} columns: {line}")
    print(f"{job.name}: {len(lines)} lines")
