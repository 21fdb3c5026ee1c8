"""lost_output.py SPOTSIM SCENARIO: output that cannot be written ends every command with 2 and a
message. An input that never ends is read only up to the limit of its kind."""
import os
import pathlib
import subprocess
import sys
import tempfile

from support import fail

spotsim, scenario = sys.argv[1:]
root = pathlib.Path(scenario).resolve().parents[1]
COMMANDS = [
    ["--version"], ["--help"], ["run", "--help"], ["help", "--markdown"], ["completion", "bash"],
    ["types"], ["types", "--json"], ["validate", scenario],
    ["run", scenario, "--guest", "fiber", "--out", "out"],
    ["run", scenario, "--guest", "fiber", "--out", "json", "--json"],
    ["explore", scenario, "--guest", "fiber", "--runs", "3", "--out", "explored"],
    ["sweep", f"{root}/scenarios/sweeps/checkpoint-tiers.yaml", "--out", "swept"],
    ["trace", "stats", f"{root}/scenarios/traces/us-west-2-gpu.json"],
    ["trace", "inspect", f"{root}/scenarios/traces/us-west-2-gpu.json", "--json"],
]


def close_stdout():
    os.close(1)


def ended(command, **how):
    return subprocess.run([spotsim, *command], cwd=folder, check=False, text=True,
                          stdin=subprocess.DEVNULL, **how)


with tempfile.TemporaryDirectory(prefix="lost-output-") as folder, open("/dev/full", "wb") as full:
    for command in COMMANDS:
        if (good := ended(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)).returncode != 0:
            fail(f"{command}: exit {good.returncode}: {good.stderr[-2000:]}")
        for what, how in {"full": {"stdout": full}, "closed": {"preexec_fn": close_stdout}}.items():
            lost = ended(command, stderr=subprocess.PIPE, **how)
            if lost.returncode != 2 or "spotsim: cannot write" not in lost.stderr:
                fail(f"{command}, {what}: exit {lost.returncode}: {lost.stderr[-2000:]}")
    for command in [["run", "no-such.yaml"], ["nosuch"], COMMANDS[8]]:
        lost = ended(command, stdout=subprocess.DEVNULL, stderr=full)
        if lost.returncode != 2:
            fail(f"{command}, stderr full: exit {lost.returncode}")
    for command in ["run", "validate", "explore", "sweep", "advise"]:
        endless = ended([command, "/dev/zero"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if endless.returncode != 2 or "/dev/zero: file: found more than" not in endless.stderr:
            fail(f"{command} /dev/zero: exit {endless.returncode}: {endless.stderr[-2000:]}")
