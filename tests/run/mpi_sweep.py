"""mpi_sweep.py SPOTSIM SCENARIO: a sweep under MPI gives the bytes of one process, also after ranks
were killed; what is wrong with it is told once."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support import descendants, fail, skip
from sweeps import FIRST, RUNS, expect_same, rows, write_sweep

spotsim, scenario = sys.argv[1:]
if not shutil.which("mpirun"):
    skip("no mpirun on this machine")
linked = subprocess.run(["ldd", spotsim], capture_output=True, text=True, check=True).stdout
if "libmpi" not in linked:
    skip("spotsim was built without MPI")


def command(out, mpi=True):
    ranks = ["mpirun", "-n", "2", "--oversubscribe"] if mpi else []
    root = ["--allow-run-as-root"] if mpi and os.geteuid() == 0 else []
    return [*ranks, *root, spotsim, "sweep", str(sweep), "--out", str(out), "--quiet"]


def finish(out, mpi=True):
    done = subprocess.run(command(out, mpi), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(command(out, mpi))}: exit {done.returncode}\n{done.stderr[-3000:]}")


def rank_of(pid):
    try:
        environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        name = pathlib.Path(f"/proc/{pid}/exe").resolve()
    except OSError:
        return None
    if name != pathlib.Path(spotsim).resolve():
        return None
    found = [e for e in environment if e.startswith(b"OMPI_COMM_WORLD_RANK=")]
    return int(found[0].split(b"=")[1]) if found else None


def kill_after_progress(out, victim):
    """Kills the rank once more rows are kept than before; how many there are afterwards."""
    before = max(FIRST, rows(out))
    job = subprocess.Popen(command(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while rows(out) <= before:
        if job.poll() is not None:
            break
        time.sleep(0.002)
    for pid in descendants(job.pid):
        if rank_of(pid) == victim:
            os.kill(pid, signal.SIGKILL)
            break
    status = job.wait()
    kept = rows(out)
    if kept <= before:
        fail(f"{before} rows were kept, {kept} after rank {victim} was killed")
    if kept < RUNS and (status == 0 or (out / "runs.csv").exists()):
        fail(f"{kept} of {RUNS} rows after a kill of rank {victim}, but exit {status}")
    print(f"rank {victim} killed: exit {status}, {kept} of {RUNS} rows kept")
    return kept


with tempfile.TemporaryDirectory(prefix="mpi-sweep-") as folder:
    folder = pathlib.Path(folder)
    sweep = write_sweep(folder, scenario)
    finish(folder / "alone", mpi=False)
    finish(folder / "mpi")
    expect_same(folder / "alone", folder / "mpi")
    for attempt in range(10):  # the sweep may be done before this process sees that it has begun
        killed = folder / f"killed-{attempt}"
        if all(kill_after_progress(killed, victim) < RUNS for victim in (1, 0)):
            break
    else:
        fail("the sweep was always done before a rank could be killed")
    finish(killed)
    expect_same(folder / "alone", killed)
    sweep.write_text("name: wrong\n")
    # A rank that ends first must not suppress the error of the rank that reports it.
    # All at once: mpirun waits for seconds.
    jobs = [subprocess.Popen(command(folder / f"wrong-{i}"), stderr=subprocess.PIPE, text=True)
            for i in range(10)]
    for wrong, told in [(job, job.communicate()[1]) for job in jobs]:
        if wrong.returncode != 2 or told.count("policies: found nothing") != 1:
            fail(f"a wrong sweep: exit {wrong.returncode}\n{told}")
    print(f"{RUNS} runs: the same bytes by one process, by two ranks, and after two kills")
