"""campaign.py SPOTSIM [SCENARIO...]: many runs of each scenario with one seed give one log, with
two processes that compute beside them. Not a test of CTest's: twenty runs of all take an hour.

    python3 tests/run/campaign.py build/bin/spotsim                        # twenty of each below
    SPOTSIM_REPEAT=5 python3 tests/run/campaign.py build/bin/spotsim scenarios/az-hop.yaml

The logs that differ are kept in the folder that $SPOTSIM_KEEP names.
"""
import collections
import os
import pathlib
import shutil
import sys
import tempfile
import time

from support import Run, computing, fail, first_difference, need_lockstep

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
OF_FOREIGN_JOBS = [*sorted(SCENARIOS.glob("foreign/*.yaml")),
                   SCENARIOS / "half-written-checkpoint.yaml",
                   SCENARIOS / "unmodified-trainer.yaml",
                   SCENARIOS / "user-data-script.yaml", SCENARIOS / "hard-kill.yaml"]
TIMES = int(os.environ.get("SPOTSIM_REPEAT", 20))
KEEP = os.environ.get("SPOTSIM_KEEP")


def play(spotsim, scenario, folder):
    run = Run(spotsim, scenario, "--guest", "process", out=folder)
    if run.status != 0:
        fail(f"{scenario}: exit {run.status}\n{run.process.stderr[-3000:]}")
    # What a run says of a host that showed in its log (docs/virtual-time.md).
    said = [line for line in run.process.stderr.splitlines()
            if any(host in line for host in ("read:", "write-back:", "file times:"))]
    return run.events, said


def keep(folder, name):
    if KEEP:
        shutil.copytree(folder, pathlib.Path(KEEP) / name, dirs_exist_ok=True)


def all_equal(spotsim, scenario):
    """Prints how many of the scenario's logs are the one that most runs gave."""
    name, began = pathlib.Path(scenario).stem, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        logs, said = zip(*(play(spotsim, scenario, f"{folder}/{i}") for i in range(TIMES)))
        [(usual, equal)] = collections.Counter(logs).most_common(1)
        for i, log in enumerate(logs):
            if log != usual:
                print(f"{name}, run {i + 1}: {first_difference(usual, log)}", *said[i], sep="\n  ",
                      flush=True)
                keep(f"{folder}/{i}", f"{name}-{i + 1}")
        if equal < TIMES:
            keep(f"{folder}/{logs.index(usual)}", f"{name}-usual")
    print(f"{name}: {equal} of {TIMES}, {time.monotonic() - began:.0f} s", flush=True)
    return equal == TIMES


def main():
    spotsim, *scenarios = sys.argv[1:]
    need_lockstep()
    with computing(2):
        equal = [all_equal(spotsim, scenario) for scenario in scenarios or OF_FOREIGN_JOBS]
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()
