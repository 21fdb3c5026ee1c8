"""recorded_sdk.py SPOTSIM: replays to the simulated services, request by request, what SageMaker's
Python SDKs sent while a `fit` went through an interruption. The SDK's own code then prints from the
answers what `fit` prints."""
import json
import os
import pathlib
import re
import sys
import tempfile
import textwrap

from support import Run, fail, skip

spotsim = sys.argv[1]
recordings = pathlib.Path(os.environ.get("SPOTSIM_SHARED", "") or "/none", "reference/sagemaker")
if not recordings.is_dir():
    skip("no recorded conversations")
if os.geteuid() != 0:
    skip("containers need the level root here")

PRICES = """az,instance_type,timestamp,price_usd_h
us-west-2a,p3.2xlarge,2026-11-01T00:00:00Z,0.918
us-west-2a,p3.2xlarge,2026-12-01T00:00:00Z,0.918
us-west-2a,g4dn.12xlarge,2026-11-01T00:00:00Z,1.1736
us-west-2a,g4dn.12xlarge,2026-12-01T00:00:00Z,1.1736
"""
SCENARIO = """\
name: recorded-sdk
start: 2026-11-21T23:49:50Z
limit: 2h
evidence: none
market: {{prices: [prices.csv]}}
durations: {{instance_pending: 5s, boot: 5s, instance_shutdown: 20s}}
sagemaker: {{image_download: 5s}}
interruptions: [{{instance: 1, after: 45s, notice: none}}]
guest: {{images: {{"{image}": {{root: image}}}}}}
operator: {{files: operator, script: /usr/bin/python3 replay.py}}
expect: {{outcome: completed, training_jobs: [Completed], steps_total: 40, running_instances: 0}}
"""
TRAIN = """\
#!/usr/bin/python3
import json, os, time
state = "/opt/ml/checkpoints/step"
step = int(open(state).read()) if os.path.exists(state) else 0
first = os.environ["HOSTNAME"] == "algo-1"
def tell(event, **fields):
    with open(os.environ["JOB_EVENTS"], "w") as out:
        out.write(json.dumps({"source": "trainer", "event": event, **fields}) + "\\n")
if first: tell("start", step=step, total_steps=40, folder="/opt/ml/checkpoints")
while step < 40:
    time.sleep(1)
    step += 1
    print(f"step {step}", flush=True)
    if first: tell("step", step=step)
    if step % 10 == 0:
        open(state, "w").write(str(step))
if first: tell("finished", step=step)
"""


def steps_of(recording):
    """What is sent, in order: ["sleep", seconds], ["s3", method, path] or [service, action,
    parameters]. AWS has no bucket of the name "b"."""
    for line in recording.read_text().replace("s3://b/", "s3://bucket/").splitlines():
        if wait := re.search(r"\(sleep (\d+)\)", line):
            yield ["sleep", int(wait[1])]
        if not (sent := re.search(r">> (\w+) https?://([^/]+)/(\S*)  ?(.*)", line)):
            continue
        method, host, path, body = sent.groups()
        if host.startswith("sts."):
            yield ["sts", re.search(r"Action=(\w+)", body)[1], {}]
        elif called := re.match(r"(SageMaker|Logs_20140328)\.(\w+) (\{.*\})$", body):
            service = "sagemaker" if called[1] == "SageMaker" else "logs"
            yield [service, called[2], json.loads(called[3])]
        else:
            yield ["s3", method, path]


def check(name):
    steps = list(steps_of(recordings / name))
    job = next(step[2] for step in steps if step[1] == "CreateTrainingJob")
    with tempfile.TemporaryDirectory(prefix="recorded-sdk-") as made:
        folder = pathlib.Path(made)
        (folder / "image/usr/local/bin").mkdir(parents=True)
        (folder / "operator").mkdir()
        (folder / "prices.csv").write_text(PRICES)
        (folder / "image/usr/local/bin/train").write_text(TRAIN)
        (folder / "image/usr/local/bin/train").chmod(0o755)
        (folder / "operator/replay.py").write_text(
            pathlib.Path(__file__).with_name("recorded_sdk_replay.py").read_text())
        (folder / "operator/steps.json").write_text(json.dumps(steps))
        image = job["AlgorithmSpecification"]["TrainingImage"]
        (folder / "scenario.yaml").write_text(SCENARIO.format(image=image))
        run = Run(spotsim, str(folder / "scenario.yaml"), out=folder / "out")
        console = folder / "out/console/operator.log"
        said = console.read_text() if console.exists() else ""
        if run.status != 0:
            fail(f"{name}: exit {run.status}\n{run.process.stderr[-2000:]}\n{said[-3000:]}")
        ledger = run.result["training_jobs"][0]
    compare(name, job, said, ledger)


def compare(name, job, said, ledger):
    hosts = job["ResourceConfig"]["InstanceCount"]
    statuses = re.findall(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (\w+) - .+$", said, flags=re.M)
    once = [s for i, s in enumerate(statuses) if i == 0 or statuses[i - 1] != s]
    attempt = ["Starting", "Downloading", "Training"]
    wanted = attempt + ["Interrupted"] + attempt + ["Uploading", "Completed"]
    if once != wanted:
        fail(f"{name}: printed the statuses {statuses}\n{said}")
    # Each line of each container once, whichever request brought it.
    lines = re.findall(r"^(algo-\d) \S+ (step \d+)$", said, flags=re.M)
    for host in range(1, hosts + 1):
        of_host = [int(text.split()[1]) for who, text in lines if who == f"algo-{host}"]
        cut = next((i for i, n in enumerate(of_host[1:], 1) if n <= of_host[i - 1]), 0)
        first, second = of_host[:cut], of_host[cut:]
        whole = first == list(range(1, len(first) + 1)) and second == list(range(second[0], 41))
        if not first or not whole or second[0] % 10 != 1:
            fail(f"{name}: algo-{host}'s log came as {of_host}")
    printed = re.findall(r"^(?:Training|Billable) seconds: (\d+)$", said, flags=re.M)
    numbers = [int(number) for number in printed]
    if numbers != [int(ledger[f"{of}_seconds"]) * hosts for of in ("training", "billable")]:
        fail(f"{name}: printed {numbers} seconds, the ledger has {ledger}")
    saved = re.search(r"^Managed Spot Training savings: ([\d.]+)%$", said, flags=re.M)
    if not saved or abs(float(saved[1]) - (1 - numbers[1] / numbers[0]) * 100) > 0.05:
        fail(f"{name}: savings {saved and saved[0]}, of {numbers}")
    print(textwrap.shorten(f"{name}: {once}, {numbers} s, {saved[0]}", 300))


for recorded in ("sdk-1.56.0.txt", "sdk-2.77.1.txt"):
    check(recorded)
