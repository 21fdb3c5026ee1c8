"""caller.py SPOTSIM SCENARIO...: one log, whatever the caller hands on to the simulator."""
import pathlib
import sys
import tempfile

from support import Run, fail, first_difference, need_lockstep

# What a closed shell, a service or a foreign session may hand on.
UNUSUAL = """#!/bin/bash
umask 077
ulimit -S -n 256 -s 1024 -c 0
export LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo HOME=/nowhere
export GIT_DIR=/nowhere GIT_INDEX_FILE=/nowhere GIT_CONFIG_COUNT=1 BASH_ENV=/nowhere
export GIT_CONFIG_KEY_0=core.autocrlf GIT_CONFIG_VALUE_0=input PYTHONPATH=/nowhere
exec nice -n 5 env --ignore-signal=PIPE,HUP,CHLD,USR1 --block-signal=USR2,ALRM '{}' "$@"
"""


def main():
    spotsim, *scenarios = sys.argv[1:]
    need_lockstep()
    for scenario in scenarios:
        with tempfile.TemporaryDirectory(prefix="caller-") as folder:
            wrapper = pathlib.Path(folder, "unusual.sh")
            wrapper.write_text(UNUSUAL.format(pathlib.Path(spotsim).absolute()))
            wrapper.chmod(0o755)
            usual = Run(spotsim, scenario, out=f"{folder}/a")
            unusual = Run(str(wrapper), scenario, out=f"{folder}/b")
            for run in (usual, unusual):
                if run.status != 0:
                    fail(f"{scenario}: exit {run.status}\n{run.process.stderr[-3000:]}")
            if usual.events != unusual.events:
                fail(f"{scenario}: {first_difference(usual.events, unusual.events)}")
            if unusual.out.stat().st_mode & 0o77:
                fail("others may read the results, although the caller's umask is 077")


if __name__ == "__main__":
    main()
