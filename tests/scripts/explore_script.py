"""explore_script.py SPOTSIM SCENARIO [threads]: what `spotsim explore` tells a newcomer about a
script: the script's line, the consoles, what a correct script does, the command, and a summary.
A script that calls an action that spotsim does not have is refused, unless asked for. The JUnit
file has a failed case for each failure. threads: instead, that the number of parallel runs changes
no finding."""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

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
    junit = out / "junit.xml"
    done = explore(spotsim, scenario, out, "--kinds", "interrupt", "--time", "1m", "--runs", "3",
                   "--junit", junit)
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
    check_junit(junit, found["failures"])


def check_junit(junit, failures):
    suites = xml.etree.ElementTree.parse(junit).getroot()
    failed = [(case.get("name"), case.find("failure")) for case in suites.iter("testcase")
              if case.find("failure") is not None]
    if [name for name, _ in failed] != [one["sentence"] for one in failures]:
        fail(f"junit.xml: {[name for name, _ in failed]}")
    for (_, failure), one in zip(failed, failures):
        need("".join(failure.itertext()), one["command"], *one["faults"], *one["remedies"])


def same_with_any_threads(spotsim, scenario):
    """With one and with two runs at a time, the search finds the same."""
    found = []
    for threads in "12":
        with tempfile.TemporaryDirectory(prefix="explore-") as out:
            done = explore(spotsim, scenario, out, "--kinds", "interrupt,api-throttled",
                           "--runs", "8", "--threads", threads)
            if done.returncode != 1:
                fail(f"{threads} threads: exit {done.returncode}\n{done.stderr}")
            found.append(pathlib.Path(out, "explore.json").read_text().replace(out, ""))
    if found[0] != found[1]:
        fail(f"the findings differ:\n{found[0]}\n{found[1]}")
    if json.loads(found[0])["runs"] < 8:
        fail(found[0])


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
    if sys.argv[3:] == ["threads"]:
        same_with_any_threads(spotsim, scenario)
        print("explore finds the same with any number of threads")
        return
    with tempfile.TemporaryDirectory(prefix="explore-") as out:
        report(spotsim, scenario, pathlib.Path(out))
    with tempfile.TemporaryDirectory(prefix="explore-") as out:
        refusal(spotsim, scenario, pathlib.Path(out))
    print("explore explains what it finds")


main()
