"""any_host.py SPOTSIM SCENARIO...: one log per seed, whatever the host is set to and does.

SPOTSIM_EVERY_HOST=1 tries every combination instead of three.
"""
import contextlib
import itertools
import os
import pathlib
import sys
import tempfile

from support import Run, computing, fail, first_difference, need_lockstep, skip

DROP_CACHES = pathlib.Path("/proc/sys/vm/drop_caches")
READ_AHEAD = [0, 128, 4096]  # KiB
CACHES = ["warm", "dropped"]
BUSY = [0, 2]  # processes that compute beside the run


def hosts():
    every = list(itertools.product(READ_AHEAD, CACHES, BUSY))
    if os.environ.get("SPOTSIM_EVERY_HOST"):
        return every
    return [(128, "warm", 0), (0, "dropped", 0), (4096, "dropped", 2)]


def loop_devices():
    return sorted(pathlib.Path("/sys/block").glob("loop*/queue/read_ahead_kb"))


def need_control_of_the_host():
    for file in [DROP_CACHES, *loop_devices()]:
        if not os.access(file, os.W_OK):
            skip(f"{file} cannot be written")


@contextlib.contextmanager
def read_ahead(kib):
    before = {file: file.read_text() for file in loop_devices()}
    for file in before:
        file.write_text(str(kib))
    try:
        yield
    finally:
        for file, text in before.items():
            file.write_text(text)


def play(spotsim, scenario, host, folder):
    kib, caches, busy = host
    if caches == "dropped":
        os.sync()
        DROP_CACHES.write_text("3")
    with read_ahead(kib), computing(busy):
        run = Run(spotsim, scenario, "--guest", "process", out=folder)
        # The kernel itself may raise it when an image is detached.
        changed = [file for file in loop_devices() if int(file.read_text()) < kib]
    if run.status not in (0, 1):
        fail(f"exit {run.status}\n{run.process.stderr[-3000:]}")
    if changed:
        fail(f"the run did not put back {changed}")
    return run.events


def main():
    spotsim, *scenarios = sys.argv[1:]
    need_lockstep()
    need_control_of_the_host()
    different = False
    for scenario in scenarios:
        name = pathlib.Path(scenario).stem
        with tempfile.TemporaryDirectory(prefix="any-host-") as folder:
            logs = {host: play(spotsim, scenario, host, f"{folder}/{i}")
                    for i, host in enumerate(hosts())}
        first = next(iter(logs))
        for host, log in logs.items():
            if log != logs[first]:
                different = True
                print(f"{name} on {host}, against {first}: {first_difference(logs[first], log)}")
        print(f"{name}: {len(set(logs.values()))} log on {len(logs)} hosts")
    if different:
        sys.exit(1)


if __name__ == "__main__":
    main()
