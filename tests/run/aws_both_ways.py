"""Calls of aws-cli that continue from a memory image give the log of calls that start as usual.

aws_both_ways.py SPOTSIM SCENARIO LOG [nearly]

LOG: of an earlier run, in which aws-cli starts as usual, the default.
nearly: calls copy several files at a time, and wait for them in the order of a set. This order is
that of addresses, which differ. So times may differ by microseconds, and nothing else.
"""
import datetime
import json
import pathlib
import sys
import tempfile

from support import Run, fail, first_difference, need_lockstep

MOST_APART = datetime.timedelta(microseconds=200)


def warm_log(spotsim, scenario):
    with tempfile.TemporaryDirectory(prefix="aws-") as folder:
        run = Run(spotsim, scenario, "--guest", "process", "--set", "guest.aws=warm", out=folder)
        if run.status != 0:
            fail(f"{scenario}, warm: exit {run.status}\n{run.process.stderr[-3000:]}")
        return run.events


def time_of(event):
    whole, nanoseconds = event.pop("time").rstrip("Z").split(".")
    return (datetime.datetime.fromisoformat(whole)
            + datetime.timedelta(microseconds=int(nanoseconds) / 1000))


def is_near(warm, cold):
    """Whether only times differ, and by little. The last event has sums and is not compared."""
    warm, cold = (list(map(json.loads, log.splitlines()[:-1])) for log in (warm, cold))
    return len(warm) == len(cold) and all(
        abs(time_of(a) - time_of(b)) <= MOST_APART and a["event"] == b["event"]
        for a, b in zip(warm, cold))


def main():
    spotsim, scenario, log, *nearly = sys.argv[1:]
    need_lockstep()
    cold = pathlib.Path(log).read_bytes()
    warm = warm_log(spotsim, scenario)
    if warm != cold and not (nearly and is_near(warm, cold)):
        fail(f"{scenario}: warm and cold aws-cli differ: {first_difference(warm, cold)}")


main()
