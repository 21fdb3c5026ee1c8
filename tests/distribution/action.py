"""action.py SPOTSIM ROOT: the GitHub Action's script, in an environment as GitHub's.

Passing scenarios give status 0. A failing expectation, a broken file, a missing file and a plan of
faults that breaks a job are annotated with ::error, and the summary has a row for each scenario.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from support import fail

spotsim, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])


class Action:
    """One run of the script: its status, annotations and summary."""

    def __init__(self, folder, **inputs):
        summary = folder / "summary.md"
        summary.write_text("")
        ran = subprocess.run(
            [root / "docs/serve/action.sh"], cwd=folder, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={"PATH": f"{spotsim.parent}:{os.environ['PATH']}", "GITHUB_ACTIONS": "true",
                 "GITHUB_STEP_SUMMARY": str(summary), "SPOTSIM_OPTIONS": "--guest fiber",
                 **{f"SPOTSIM_{name}": value for name, value in inputs.items()}})
        self.status, self.output = ran.returncode, ran.stdout
        self.errors = [line for line in ran.stdout.splitlines() if line.startswith("::error ")]
        self.rows = [line for line in summary.read_text().splitlines() if "yaml" in line]

    def expect(self, status, errors, rows):
        """Fails unless the status is this, and each pattern matches one line, in order."""
        if self.status != status:
            fail(f"status {self.status}, expected {status}\n{self.output}")
        for found, patterns in ((self.errors, errors), (self.rows, rows)):
            if len(found) != len(patterns) or not all(map(re.search, patterns, found)):
                fail(f"found {found}\nexpected {patterns}\n{self.output}")


with tempfile.TemporaryDirectory(prefix="action-") as name:
    folder = pathlib.Path(name)
    shutil.copytree(root / "scenarios", folder / "scenarios")
    Action(folder, SCENARIOS="scenarios/on-demand.yaml\n\n").expect(
        0, [], [r"✅ . `scenarios/on-demand.yaml` . run . on-demand: completed, \d+ events"])
    for file in ("events.jsonl", "report.html"):
        if not (folder / "spotsim-results/run-on-demand" / file).exists():
            fail(f"the results have no {file}")

    failing = folder / "scenarios/failing.yaml"
    failing.write_text("based_on: on-demand.yaml\nname: failing\nexpect:\n  steps_total: 7\n")
    (folder / "bad.yaml").write_text("based_on: scenarios/on-demand.yaml\nname: bad\nbogus: 1\n")
    Action(folder, SCENARIOS="scenarios/fail*.yaml\nbad.yaml\nnone/*.yaml").expect(
        2, [r"file=scenarios/failing.yaml,line=4,title=spotsim run::steps_total: 7: found 1664",
            r'file=bad.yaml,line=3,title=spotsim run::key: found unknown key "bogus"',
            r"file=none/\*.yaml,line=1,title=spotsim run::found no file none/\*.yaml"],
        [r"❌ . `scenarios/failing.yaml` . run . steps_total: 7: found 1664",
         r'❌ . `bad.yaml` . run . bad.yaml:3:1: key: found unknown key "bogus"'])

    Action(folder, EXPLORE="scenarios/on-demand.yaml", EXPLORE_OPTIONS="--runs 10").expect(
        1, [r"title=spotsim explore::faults break [a-z-]+; replay with: spotsim run "],
        [r"❌ . `scenarios/on-demand.yaml` . explore . 1 failing plans"])
print("the action annotates and summarises")
