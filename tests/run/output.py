"""output.py SPOTSIM SCENARIO: --json prints the result and nothing else; bad input exits with 2,
a broken invariant with 1."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from support import Run, fail

TRACE = "traces/us-west-2-gpu.json"
# An operator without files of its own, which leaves an instance running.
BARE = """
name: bare
start: 2019-11-05T10:00:00Z
limit: 1h
market: {{prices: [{trace}]}}
operator:
  script: aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type m4.xlarge
expect: {{outcome: deadline}}
invariants: [{{name: no-launch, never: {{event: api.call, action: RunInstances}}}}]
"""

spotsim, scenario = sys.argv[1:]
with tempfile.TemporaryDirectory(prefix="output-") as folder:
    run = Run(spotsim, scenario, out=f"{folder}/out")
    if run.status != 0:
        fail(f"exit {run.status}\n{run.process.stderr[-3000:]}")
    written = json.loads((run.out / "result.json").read_text())
    if run.result != written:
        fail("--json and result.json differ")
    if "fingerprint" not in run.process.stderr.strip().splitlines()[-1]:
        fail("the fingerprint is not the last thing said")

    bare = pathlib.Path(folder) / "bare.yaml"
    bare.write_text(BARE.format(trace=pathlib.Path(scenario).resolve().parent / TRACE))
    run = Run(spotsim, str(bare), out=f"{folder}/bare")
    if run.status != 1 or run.result["outcome"] != "deadline":
        fail(f"no files, idle to the limit: exit {run.status}\n{run.process.stderr[-3000:]}")
    if "FAILED: nothing is running at the end: found 1 instances" not in run.process.stderr:
        fail(f"a broken invariant is not told:\n{run.process.stderr[-3000:]}")
    shown = run.process.stderr.split("FAILED: no-launch: never api.call")[1:2]
    if not shown or '"action":"RunInstances"' not in shown[0].splitlines()[1]:
        fail(f"the line that breaks one is not shown:\n{run.process.stderr[-3000:]}")
    replay = [line.split("replay with: spotsim ")[1] for line in run.process.stderr.splitlines()
              if "replay with: " in line]
    if len(replay) != 1:
        fail(f"no command that replays the failure:\n{run.process.stderr[-3000:]}")
    again = subprocess.run([spotsim, *shlex.split(replay[0])], capture_output=True, text=True,
                           check=False)
    if again.returncode != 1 or (os.geteuid() == 0 and "differs from" in again.stderr):
        fail(f"the replay is another run: exit {again.returncode}\n{again.stderr[-3000:]}")

    other = Run(spotsim, scenario, "--check-against", f"{folder}/bare/events.jsonl",
                out=f"{folder}/other")
    if other.status != 1 or "differs from" not in other.process.stderr or \
            "What happened" in other.process.stderr:
        fail(f"another log: exit {other.status}\n{other.process.stderr[-3000:]}")

    no_log = subprocess.run([spotsim, "run", scenario, "--check-against", scenario],
                            capture_output=True, text=True, check=False, cwd=folder)
    if no_log.returncode != 2 or f"{scenario} is not an event log" not in no_log.stderr or \
            list((pathlib.Path(folder) / "out").glob("*-seed*")):
        fail(f"--check-against of no log: exit {no_log.returncode}, said: {no_log.stderr}")

    bad = pathlib.Path(folder) / "bad.yaml"
    bad.write_text(pathlib.Path(scenario).read_text().replace("seed:", "sed:", 1))
    refused = subprocess.run([spotsim, "run", str(bad), "--out", f"{folder}/bad-out"],
                             capture_output=True, text=True, check=False)
    if refused.returncode != 2 or f"{bad}:" not in refused.stderr or "seed" not in refused.stderr:
        fail(f"bad input: exit {refused.returncode}, said: {refused.stderr}")
    if (pathlib.Path(folder) / "bad-out").exists():
        fail("bad input left files behind")
    refused = subprocess.run([spotsim, "run", scenario, "--seed", "-3"],
                             capture_output=True, text=True, check=False)
    if refused.returncode != 2:
        fail(f"a negative seed: exit {refused.returncode}, said: {refused.stderr}")
    sweep = pathlib.Path(scenario).resolve().parents[1] / "bench/sweeps/bid-era.yaml"
    refused = subprocess.run([spotsim, "sweep", str(sweep), "--out", f"{folder}/sweep"],
                             env={**os.environ, "SPOTSIM_SHARED": f"{folder}/none"},
                             capture_output=True, text=True, check=False)
    if refused.returncode != 2 or "SPOTSIM_SHARED names" not in refused.stderr:
        fail(f"traces that are not there: exit {refused.returncode}, said: {refused.stderr}")
    quiet = subprocess.run([spotsim, "run", str(bare), "--quiet", "--out", f"{folder}/quiet"],
                           capture_output=True, text=True, check=False)
    if quiet.stdout or "guests: level" not in quiet.stderr:
        fail(f"--quiet leaves out the summary only: {quiet.stdout}{quiet.stderr}")
    print("result on stdout, messages on stderr, bad input refused")
