"""explore_script.py SPOTSIM SCENARIO: what `spotsim explore` tells a newcomer about a script: the
script's line, the consoles, what a correct script does, the command, and a summary. A script that
calls an action that spotsim does not have is refused, unless asked for."""
import json
import pathlib
import subprocess
import sys
import tempfile

from support import check_schema, fail, skip

MISSING = "aws ec2 create-vpc-endpoint --vpc-id vpc-1 --service-name s3 || true\n"


def explore(spotsim, scenario, out, *options):
    return subprocess.run([spotsim, "explore", scenario, "--out", out, *options],
                          capture_output=True, text=True, check=False)


def need(said, *parts):
    for part in parts:
        if part not in said:
            fail(f"expected {part!r} in:\n{said}")


def report(spotsim, scenario, out):
    done = explore(spotsim, scenario, out, "--kinds", "interrupt", "--time", "1m", "--runs", "3")
    if done.returncode != 1:
        fail(f"exit {done.returncode}\n{done.stderr}")
    name = pathlib.Path(scenario).name
    need(done.stdout, f"the last call before: {name}:", "aws ec2 run-instances",
         "A correct script looks for the notice", "the consoles end with",
         "spotsim run ", "single faults: 1 way to break the job")
    found = json.loads((out / "explore.json").read_text())
    check_schema(found, "explore")
    if found["ways"] != 1 or not found["failures"][0]["script"]:
        fail(json.dumps(found["failures"], indent=2))


def refusal(spotsim, scenario, out):
    text = pathlib.Path(scenario).read_text()
    at = text.index("    aws ec2 run-instances")
    file = out / "missing.yaml"
    file.write_text(text[:at].replace("traces/", f"{pathlib.Path(scenario).parent}/traces/")
                    + "    " + MISSING + text[at:])
    options = ("--kinds", "interrupt", "--runs", "2")
    done = explore(spotsim, file, out / "refused", *options)
    if done.returncode != 2:
        fail(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    need(done.stderr, "does not support CreateVpcEndpoint", "(operator: console/operator.log:",
         "InvalidAction", "--missing-actions")
    done = explore(spotsim, file, out / "allowed", "--missing-actions", *options)
    if done.returncode != 1:
        fail(f"exit {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    spotsim, scenario = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if subprocess.run([spotsim, "validate", scenario], check=False).returncode != 0:
        skip("this machine cannot run process guests")
    with tempfile.TemporaryDirectory(prefix="explore-") as out:
        report(spotsim, scenario, pathlib.Path(out))
    with tempfile.TemporaryDirectory(prefix="explore-") as out:
        refusal(spotsim, scenario, pathlib.Path(out))
    print("explore explains what it finds")


main()
