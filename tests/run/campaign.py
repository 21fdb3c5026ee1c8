"""campaign.py SPOTSIM [SCENARIO...]: many runs of each scenario with one seed give one log.

Not a test of CTest's: twenty runs of all scenarios in all modes take hours.

    python3 tests/run/campaign.py build/bin/spotsim            # all scenarios, twenty runs per mode
    python3 tests/run/campaign.py build/bin/spotsim scenarios/az-hop.yaml --mode busy --times 5

Modes: `idle` leaves the machine as it is, `busy` has two processes that compute beside the run, and
`dropped` empties the page cache before each run. Each scenario has a line with the equal logs of
each mode. A run may also end with exit status 1: some scenarios show a failure. Logs that differ
are kept in the folder that --keep names.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import shutil
import sys
import tempfile
import time

from support import Run, computing, fail, first_difference, need_lockstep

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
FOLDERS = ("*.yaml", "foreign/*.yaml", "regressions/*.yaml", "tutorial-bugs/*.yaml")
DROP_CACHES = pathlib.Path("/proc/sys/vm/drop_caches")
MODES = ("idle", "busy", "dropped")
EXPECTED = (0, 1)  # exit status: everything holds, or something fails


def all_scenarios():
    """The scenarios that can run with process guests."""
    return sorted(path for folder in FOLDERS for path in SCENARIOS.glob(folder)
                  if "kind: fiber" not in path.read_text())


def play(spotsim, scenario, mode, folder):
    """The log, and what the run says of a host that showed in it (docs/virtual-time.md)."""
    if mode == "dropped":
        os.sync()
        DROP_CACHES.write_text("3")
    run = Run(spotsim, scenario, "--guest", "process", out=folder)
    if run.status not in EXPECTED:
        fail(f"{scenario}: exit {run.status}\n{run.process.stderr[-3000:]}")
    said = [line for line in run.process.stderr.splitlines()
            if any(host in line for host in ("read:", "write-back:", "file times:"))]
    return run.events, said


def keep(options, folder, name):
    if options.keep:
        shutil.copytree(folder, options.keep / name, dirs_exist_ok=True)


def differences(options, scenario, mode, usual):
    """How many runs in this mode give another log than `usual`, which the first run sets."""
    name, different = pathlib.Path(scenario).stem, 0
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder, \
            computing(2) if mode == "busy" else contextlib.nullcontext():
        for i in range(1, options.times + 1):
            out = f"{folder}/{i}"
            log, said = play(options.spotsim, scenario, mode, out)
            usual[log] += 1
            first = next(iter(usual))
            if log == first:
                if usual[log] == 1:
                    keep(options, out, f"{name}-first")
            else:
                different += 1
                print(f"{name}, {mode}, run {i}: {first_difference(first, log)}", *said, sep="\n  ",
                      flush=True)
                keep(options, out, f"{name}-{mode}-{i}")
            shutil.rmtree(out)
    return different


def all_equal(options, scenario):
    """Prints a line: of each mode, how many logs are equal to the first run's."""
    began, usual = time.monotonic(), collections.Counter()
    different = {mode: differences(options, scenario, mode, usual) for mode in options.mode}
    counts = ", ".join(f"{mode} {options.times - found} of {options.times}"
                       for mode, found in different.items())
    print(f"{pathlib.Path(scenario).stem}: {counts}, {time.monotonic() - began:.0f} s", flush=True)
    return not any(different.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spotsim")
    parser.add_argument("scenarios", nargs="*", default=all_scenarios())
    parser.add_argument("--mode", action="append", choices=MODES, help="default: all three")
    parser.add_argument("--times", type=int, default=20, help="runs per mode (20)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for logs that differ")
    options = parser.parse_args()
    options.mode = options.mode or list(MODES)
    need_lockstep()
    equal = [all_equal(options, scenario) for scenario in options.scenarios]
    print(f"{sum(equal)} of {len(equal)} scenarios give one log")
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()
