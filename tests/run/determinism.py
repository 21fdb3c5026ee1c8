"""determinism.py SPOTSIM SCENARIO N: N runs with a seed give one log, another seed another."""
import os
import sys
import tempfile

from support import Run, fail, first_difference, need_lockstep

spotsim, scenario = sys.argv[1:3]
times = int(os.environ.get("SPOTSIM_REPEAT", sys.argv[3]))
need_lockstep()
with tempfile.TemporaryDirectory(prefix="determinism-") as folder:
    runs = [Run(spotsim, scenario, out=f"{folder}/{i}") for i in range(times)]
    for run in runs:
        if run.status not in (0, 1):
            fail(f"exit {run.status}\n{run.process.stderr[-3000:]}")
    first = runs[0].events
    equal = sum(run.events == first for run in runs)
    for run in runs:
        if run.events != first:
            print(first_difference(first, run.events))
            break
    print(f"{equal} of {times} logs of {os.path.basename(scenario)} are equal")
    if equal != times:
        sys.exit(1)
    other = Run(spotsim, scenario, "--seed", "12345", out=f"{folder}/other")
    if other.events == first:
        fail("another seed gave the same log")
