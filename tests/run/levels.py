"""levels.py SPOTSIM SCENARIO LEVEL: the scenario goes well for a user without rights, at this level
of the sandbox, and nothing is left behind."""
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support import descendants, fail, skip

NOBODY = 65534
PR_SET_CHILD_SUBREAPER = 36

spotsim, scenario, level = sys.argv[1:]
scenario = pathlib.Path(scenario)


def without_rights(*command):
    """The command as a user without rights: the caller's own, unless that is root."""
    if os.geteuid() != 0:
        return command
    return ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command)


def own(folder):
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    return folder


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


with tempfile.TemporaryDirectory(prefix="levels-") as folder:
    folder = pathlib.Path(folder)
    folder.chmod(0o755)
    every = next(parent for parent in scenario.parents if parent.name == "scenarios")
    shutil.copytree(every, folder / "scenarios")
    for path in (folder / "scenarios").rglob("*"):
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    copy = folder / "scenarios" / scenario.relative_to(every)
    if subprocess.run(without_rights(spotsim, "--help"), capture_output=True,
                      check=False).returncode != 0:
        skip(f"user {NOBODY} may not run {spotsim}")

    # What `run` refuses here, `validate` warns of in the same words.
    asks_root = [str(copy), "--set", "guest.level=root"]
    refused = subprocess.run(without_rights(spotsim, "run", *asks_root, "--out", "/no/such"),
                             capture_output=True, text=True, check=False)
    warned = subprocess.run(without_rights(spotsim, "validate", *asks_root),
                            capture_output=True, text=True, check=False)
    words = refused.stderr.strip().splitlines()[-1].removeprefix("spotsim: ")
    if refused.returncode != 2 or not words.startswith("guest.level: root: "):
        fail(f"level root for a user without rights: {refused.stderr}")
    if warned.returncode != 0 or f"{copy}: warning: {words}\n" not in warned.stderr:
        fail(f"validate does not warn of what run refuses, {words}:\n{warned.stderr}")

    # Root without CAP_SYS_NICE, as in many containers: the reason why there is no lockstep is told.
    if os.geteuid() == 0:
        lame = ("setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", spotsim, "run",
                *asks_root)
        reason = "this process lacks CAP_SYS_NICE for SCHED_FIFO"
        refused = subprocess.run([*lame, "--set", "guest.lockstep=true", "--out", "/no/such"],
                                 capture_output=True, text=True, check=False)
        if (refused.returncode != 2
                or f"guest.lockstep: found true, but {reason}" not in refused.stderr):
            fail(f"lockstep without CAP_SYS_NICE: {refused.returncode} {refused.stderr}")
        with subprocess.Popen([*lame, "--out", str(folder / "lame")], text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            told = next((line for line in running.stderr if "guests: " in line), "nothing")
            running.send_signal(signal.SIGINT)
        if f"level root, free-running: no lockstep, since {reason}" not in told:
            fail(f"without CAP_SYS_NICE, the run tells: {told}")

    # What the run leaves behind becomes a child of this process.
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        skip("cannot become a subreaper")
    temporary, home = own(folder / "tmp"), own(folder / "home")
    run = subprocess.run(
        without_rights("env", f"TMPDIR={temporary}", f"HOME={home}",
                       spotsim, "run", str(copy), "--level", level,
                       "--out", f"{home}/out", "--json"),
        capture_output=True, text=True, check=False)
    if f"guest.level: {level}" in run.stderr:
        skip(run.stderr.strip().splitlines()[-1])
    if run.returncode != 0:
        fail(f"exit {run.returncode}\n{run.stderr[-3000:]}")
    result = json.loads(run.stdout)
    if result["level"] != level or not result["expectations"]:
        fail(f"level {result['level']}, expectations {result['expectations']}")
    if "guests at this level: " not in run.stderr:
        fail(f"does not say what its guests lack:\n{run.stderr}")

    deadline = time.monotonic() + 10
    left = []
    while time.monotonic() < deadline:
        reap()
        left = descendants(os.getpid()) + [path.name for path in temporary.iterdir()]
        if not left:
            break
        time.sleep(0.05)  # the watchdog takes the run's folder away a little later
    if left:
        fail(f"left behind: {left}")
    print(f"{level}: {result['outcome']} in {result['makespan_seconds']:.1f} s")
