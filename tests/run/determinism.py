"""determinism.py SPOTSIM SCENARIO [LOG]: runs with one seed give one log, and another seed another.
With the LOG of an earlier run one more is enough. $SPOTSIM_REPEAT says how many runs instead."""
import os
import pathlib
import sys
import tempfile

from support import Run, fail, first_difference, need_lockstep

spotsim, scenario = sys.argv[1:3]
logs = [pathlib.Path(log).read_bytes() for log in sys.argv[3:]]
times = int(os.environ.get("SPOTSIM_REPEAT", 2 - len(logs)))
need_lockstep()
with tempfile.TemporaryDirectory(prefix="determinism-") as folder:
    for i in range(times):
        run = Run(spotsim, scenario, out=f"{folder}/{i}")
        if run.status not in (0, 1):
            fail(f"exit {run.status}\n{run.process.stderr[-3000:]}")
        logs.append(run.events)
    first = logs[0]
    equal = sum(log == first for log in logs)
    for log in logs:
        if log != first:
            print(first_difference(first, log))
            break
    print(f"{equal} of {len(logs)} logs of {os.path.basename(scenario)} are equal")
    if equal != len(logs):
        sys.exit(1)
    if len(sys.argv) == 3:
        other = Run(spotsim, scenario, "--seed", "12345", out=f"{folder}/other")
        if other.events == first:
            fail("another seed gave the same log")
