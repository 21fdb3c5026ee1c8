"""killed_sweep.py SPOTSIM SCENARIO: a killed sweep (SIGKILL) continues with its stored rows, and
its files equal those of an undisturbed sweep, byte for byte."""
import contextlib
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from support import fail
from sweeps import FIRST, RUNS, expect_same, rows, write_sweep

spotsim, scenario = sys.argv[1:]


def command(out):
    return [spotsim, "sweep", str(sweep), "--out", str(out), "--quiet"]


def finish(out):
    subprocess.run(command(out), check=True)


def killed(out):
    """The number of rows that a sweep had stored when it was killed, soon after its start."""
    job = subprocess.Popen(command(out))
    while rows(out) <= FIRST and job.poll() is None:
        time.sleep(0.002)
    job.send_signal(signal.SIGKILL)
    if job.wait() != -signal.SIGKILL:
        return RUNS  # it was done before
    if (out / "runs.csv").exists():
        fail("results of a sweep that was killed")
    return rows(out)


def change_last_row(out):
    """Another number of steps in the last row that is kept, and which row that is."""
    with contextlib.closing(sqlite3.connect(out / "part-0-of-1.db")) as db, db:
        last = db.execute("SELECT max(run) FROM runs").fetchone()[0]
        db.execute("UPDATE runs SET lost_steps = 123456789 WHERE run = ?", (last,))
    return last


with tempfile.TemporaryDirectory(prefix="killed-sweep-") as folder:
    folder = pathlib.Path(folder)
    sweep = write_sweep(folder, scenario)
    finish(folder / "whole")
    for attempt in range(10):
        out = folder / f"killed-{attempt}"
        kept = killed(out)
        if FIRST < kept < RUNS:
            break
    else:
        fail("the sweep was always done before it could be killed")
    marked = shutil.copytree(out, folder / "marked")
    last = change_last_row(marked)
    finish(out)
    expect_same(folder / "whole", out)
    finish(marked)
    if (marked / "runs.csv").read_text().splitlines()[1 + last].count("123456789") != 1:
        fail(f"row {last} was kept and is not what came of it")
    print(f"killed with {kept} of {RUNS} rows kept: they were used, and the results are the same")
