"""Calls of aws-cli that continue from a memory image give the log of calls that start as usual.

aws_both_ways.py SPOTSIM SCENARIO [LOG]

LOG: of an earlier run with `guest.aws: cold`; without it, the scenario runs with it, too.
"""
import pathlib
import sys
import tempfile

from support import Run, fail, first_difference, need_lockstep


def log_of(spotsim, scenario, how):
    with tempfile.TemporaryDirectory(prefix="aws-") as folder:
        run = Run(spotsim, scenario, "--guest", "process", "--set", f"guest.aws={how}",
                  out=folder)
        if run.status != 0:
            fail(f"{scenario}, {how}: exit {run.status}\n{run.process.stderr[-3000:]}")
        refused = [line for line in run.process.stderr.splitlines() if "starts as usual" in line]
        if refused:
            fail(f"{scenario}, {how}: {refused[0]}")
        return run.events


def main():
    spotsim, scenario, *log = sys.argv[1:]
    need_lockstep()
    cold = pathlib.Path(log[0]).read_bytes() if log else log_of(spotsim, scenario, "cold")
    warm = log_of(spotsim, scenario, "warm")
    if warm != cold:
        fail(f"{scenario}: warm and cold aws-cli differ: {first_difference(warm, cold)}")


main()
