"""instance_start.py SPOTSIM [--rounds N]: processor time of an instance's start and stop.

Runs two scenarios whose instances only power off, with 21 and with 41 of them. The difference,
divided by 20, leaves out what a run costs without instances. The scenarios take turns. Prints the
median of the rounds (aim: 50 ms on a quiet machine), and the least and the most.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import sleeping_guests

FEW, MANY = 21, 41
sleeping_guests.USER_DATA = "#!/bin/bash\npoweroff\n"


def processor_time(spotsim, n):
    with tempfile.TemporaryDirectory(prefix="instance-start-") as name:
        folder = pathlib.Path(name)
        file, before = sleeping_guests.scenario(n, folder), sleeping_guests.cpu()
        run = subprocess.run([spotsim, "run", file, "--out", folder / "out", "--guest", "process",
                              "--quiet"], capture_output=True, text=True, check=False)
        used = sleeping_guests.cpu() - before
        log = (folder / "out" / "events.jsonl").read_text()
    if log.count('"instance.boot"') != n:
        sys.exit(f"{log.count('instance.boot')} boots instead of {n}\n{run.stdout}{run.stderr}")
    return used


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spotsim", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    starts = []
    for _ in range(options.rounds):
        few, many = (processor_time(options.spotsim.resolve(), n) for n in (FEW, MANY))
        starts.append(1000 * (many - few) / (MANY - FEW))
    print(f"start and stop of an instance: {statistics.median(starts):.1f} ms "
          f"({min(starts):.1f} to {max(starts):.1f} in {options.rounds} rounds)")


main()
