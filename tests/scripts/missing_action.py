"""missing_action.py SPOTSIM SCENARIO: the summary of a run whose script calls an AWS action that
spotsim does not have begins with this action, its machine and the console's line. result.json and
the report have it. `run --seeds` and a sweep name it before their tables.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from support import check_schema, fail, skip

CALL = "aws ec2 create-vpc-endpoint --vpc-id vpc-1 --service-name s3 || true"
BEGIN = "Missing AWS actions: these calls returned an error, so the run may show what the script " \
        "does without them\n  CreateVpcEndpoint (operator: console/operator.log:"
SEEDS = "Missing AWS actions in 2 of 2 runs: "
SWEPT = "the simulated AWS does not support CreateVpcEndpoint: "


def scenario_with_call(scenario, folder):
    text = scenario.read_text(encoding="utf-8")
    at = text.index("    aws ec2 run-instances")
    file = folder / "missing.yaml"
    file.write_text(text[:at].replace("traces/", f"{scenario.parent}/traces/")
                    + f"    {CALL}\n" + text[at:], encoding="utf-8")
    return file


def spotsim(*command):
    done = subprocess.run([sys.argv[1], *command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def check_run(file, folder):
    said, _ = spotsim("run", file, "--out", folder / "run", "--report")
    if not said.lstrip("\n").startswith(BEGIN) or "(InvalidAction)" not in said.split("\n\n")[0]:
        fail(f"expected first {BEGIN!r} with the console's line, found\n{said}")
    result = json.loads((folder / "run/result.json").read_text(encoding="utf-8"))
    check_schema(result, "result")
    found = [(one["service"], one["action"], one["caller"], one["calls"])
             for one in result["missing_actions"]]
    if found != [("ec2", "CreateVpcEndpoint", "operator", 1)]:
        fail(f"result.json: {found}")
    if '"CreateVpcEndpoint"' not in (folder / "run/report.html").read_text(encoding="utf-8"):
        fail("report.html does not have the action")
    again, _ = spotsim("result", folder / "run")
    if not again.lstrip("\n").startswith(BEGIN):
        fail(f"spotsim result: found\n{again}")


def main():
    scenario = pathlib.Path(sys.argv[2]).resolve()
    if subprocess.run([sys.argv[1], "validate", scenario], check=False).returncode != 0:
        skip("this machine cannot run process guests")
    with tempfile.TemporaryDirectory(prefix="missing-") as name:
        folder = pathlib.Path(name)
        file = scenario_with_call(scenario, folder)
        check_run(file, folder)
        table, _ = spotsim("run", file, "--seeds", "1-2", "--out", folder / "seeds")
        if not table.lstrip("\n").startswith(SEEDS):
            fail(f"expected first {SEEDS!r}, found\n{table}")
        sweep = folder / "sweep.yaml"
        sweep.write_text(f"name: own\nscenario: {file}\nguest: process\n", encoding="utf-8")
        _, warned = spotsim("sweep", sweep, "--out", folder / "swept")
        if SWEPT not in warned:
            fail(f"expected {SWEPT!r}, found\n{warned}")
    print("missing actions are named first")


main()
