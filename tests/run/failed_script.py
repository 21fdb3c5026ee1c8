"""failed_script.py SPOTSIM SCENARIO: a script that fails on its instance makes the run fail, exit
with 1 and say why; unless that is expected."""
import pathlib
import re
import sys
import tempfile

from support import Run, fail

spotsim, scenario = sys.argv[1:]
source = pathlib.Path(scenario)
text = source.read_text().replace("traces/", f"{source.resolve().parent}/traces/")
text = re.sub(r"^ *report .*\n", "", text, flags=re.M)


def run(name, script, rest=""):
    with_script = text.replace("    poweroff\n", script).replace("limit: 2h", "limit: 90m")
    lines = re.sub(r"^expect:.*$", "", with_script, flags=re.M) + rest
    file = pathlib.Path(folder, f"{name}.yaml")
    file.write_text(lines)
    return Run(spotsim, str(file), out=f"{folder}/{name}")


def has(ran, *parts):
    for part in parts:
        if part not in ran.process.stderr:
            fail(f"not said: {part}\n{ran.process.stderr[-3000:]}")


with tempfile.TemporaryDirectory(prefix="failed-script-") as folder:
    FAILS = "    echo the end is near >&2\n    poweroff & exit 3\n"
    ran = run("fails", FAILS)
    cause = ran.result["cause"]
    if ran.status != 1 or ran.result["outcome"] != "failed" or cause["status"] != 3:
        fail(f"exit {ran.status}, {ran.result['outcome']}, {cause}")
    machine = ran.result["attempts"][0]["instance_id"]
    if cause["machine"] != machine or cause["console"] != f"console/{machine}.log":
        fail(f"the cause is on {cause}, the instance is {machine}")
    has(ran, "FAILED: outcome: not failed (by default): found failed",
        f"{machine} at ", "its user data ended with status 3", "    | the end is near",
        f"Next: less {ran.out}/console/{machine}.log")

    ran = run("expected", FAILS, "expect: {outcome: failed}\n")
    if ran.status != 0 or "What happened" in ran.process.stderr:
        fail(f"a failure that is expected: exit {ran.status}\n{ran.process.stderr[-3000:]}")

    ran = run("taken", "", "interruptions: [{instance: 1, after: 10m}]\n"
              "baseline: {instance_type: p3.2xlarge, step_time: 30s}\n")
    if ran.status != 1 or ran.result["cause"]["status"] != 143:
        fail(f"interrupted: exit {ran.status}, {ran.result['cause']}")
    has(ran, "status 143 (SIGTERM), when EC2 interrupted the instance; no trainer had reported")
    unknown = "no trainer reported a step, and the run did not complete"
    if ran.result["savings_unknown"] != unknown:
        fail(f"savings unknown: {ran.result['savings_unknown']}")

    # Without `set -e` the script goes on, and succeeds.
    ran = run("goes-on", "    nosuch --all\n    git clone -q https://git.example.org/a.git /tmp/a\n"
              "    poweroff\n")
    has(ran, f"warning: {machine}: a command is missing: ", ": nosuch: command not found\n",
        f"warning: {machine}: git clone failed: fatal: unable to access")

    text = text.replace("    #!/bin/bash\n", "")
    ran = run("no-script", "    poweroff\n")
    has(ran, "its user data was not run, because it does not begin with `#!` (such as #!/bin/bash)")
print("a failed run says why")
