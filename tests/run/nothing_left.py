"""nothing_left.py SPOTSIM SCENARIO SIGNAL: a run that SIGNAL ends in its middle leaves nothing."""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from support import descendants, fail, traces_on_the_machine

spotsim, scenario, name = sys.argv[1:]
before = traces_on_the_machine()
with tempfile.TemporaryDirectory(prefix="nothing-left-") as folder:
    run = subprocess.Popen([spotsim, "run", scenario, "--out", f"{folder}/out", "--quiet"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = pathlib.Path(folder) / "out" / "events.jsonl"
    deadline = time.monotonic() + 60
    # In the middle of training: a machine with a mounted volume and a trainer in it.
    while not (log.exists() and b'"trainer.step"' in log.read_bytes()):
        if run.poll() is not None:
            fail(f"the run ended by itself, exit {run.returncode}")
        if time.monotonic() > deadline:
            run.kill()
            fail("no training within a minute")
        time.sleep(0.02)
    guests = descendants(run.pid)
    if not guests:
        fail("no guest process is below spotsim: this test would prove nothing")
    run.send_signal(getattr(signal, name))
    status = run.wait(timeout=30)
    if name == "SIGINT" and status != 130:
        fail(f"exit {status} after SIGINT, expected 130")
    deadline = time.monotonic() + 10
    while traces_on_the_machine() != before and time.monotonic() < deadline:
        time.sleep(0.05)  # the kernel takes namespaces and loop devices down a little later
    after = traces_on_the_machine()
    for kind, what in after.items():
        left = [item for item in what if item not in before[kind]]
        if left:
            fail(f"left behind after {name}: {kind}: {left}")
    print(f"{len(guests)} guest processes; nothing is left after {name}")
