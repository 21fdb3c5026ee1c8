"""Calls of aws-cli that continue from a memory image give the log of calls that start as usual.

both_ways.py SPOTSIM SCENARIO LOG|- [nearly]

LOG: of an earlier run, in which aws-cli continues from memory images, the default.
-: this run is made here.
nearly: calls copy several files at a time, and wait for them in the order of a set. This order is
that of addresses, which differ. So times may differ by microseconds, and nothing else.
"""
import datetime
import json
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from support import Run, fail, first_difference, need_lockstep

MOST_APART = datetime.timedelta(microseconds=200)


def log_with(aws, spotsim, scenario):
    """The log of a run."""
    shows_a_bug = "tutorial-bugs" in pathlib.Path(scenario).parts
    with tempfile.TemporaryDirectory(prefix="aws-") as folder:
        run = Run(spotsim, scenario, "--guest", "process", "--set", f"guest.aws={aws}", out=folder)
        if run.status not in ((0, 1) if shows_a_bug else (0,)):
            fail(f"{scenario}, {aws}: exit {run.status}\n{run.process.stderr[-3000:]}")
        return run.events


def time_of(text):
    """None for a text that is no time of a log."""
    try:
        whole, nanoseconds = text.rstrip("Z").split(".")
        return (datetime.datetime.fromisoformat(whole)
                + datetime.timedelta(microseconds=int(nanoseconds) / 1000))
    except ValueError:
        return None


def number_of(value):
    """Of a number, or of a text that is one, such as a cost; else None."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def is_near(a, b):
    """Whether two values are equal, but for times and for sums that depend on them."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_near(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_near, a, b))
    if a == b:
        return True
    if number_of(a) is not None and number_of(b) is not None:
        return abs(number_of(a) - number_of(b)) <= MOST_APART.total_seconds()
    if isinstance(a, str) and isinstance(b, str) and time_of(a) and time_of(b):
        return abs(time_of(a) - time_of(b)) <= MOST_APART
    return False


def are_near(warm, cold):
    """Whether the events differ in times only, and by little."""
    return is_near(*(list(map(json.loads, log.splitlines())) for log in (warm, cold)))


def main():
    spotsim, scenario, log, *nearly = sys.argv[1:]
    need_lockstep()
    warm = log_with("warm", spotsim, scenario) if log == "-" else pathlib.Path(log).read_bytes()
    cold = log_with("cold", spotsim, scenario)
    if b'"service"' not in warm:
        fail(f"{scenario}: no call of AWS in the log")
    if warm == cold:
        print("equal logs")
    elif not are_near(warm, cold):
        fail(f"{scenario}: warm and cold aws-cli differ: {first_difference(warm, cold)}")
    elif not nearly:
        fail(f"{scenario}: warm and cold aws-cli differ by less than {MOST_APART}: "
             f"{first_difference(warm, cold)}")


main()
