"""init.py SPOTSIM FOREIGN JOB: `spotsim init` writes a scenario from the files of the job in
scenarios/foreign, or from SageMaker's request, and its run ends as expected."""
import pathlib
import subprocess
import sys
import tempfile

from support import Run, fail, skip

# A sample of the training's log, as the trainers of these jobs print it.
PLAIN_LOG = """Resuming from step 0
step 1/16
step 2/16
Saved /data/state.json at step 2
"""
RECOGNISED = ("format plain, 2 lines with steps, 1 with checkpoints", "step 1/16",
              "Saved /data/state.json at step 2")
START = ("--start", "2019-11-05T10:00:00Z")

# By job: the user data, the part of the operator's script before the request, and options.
JOBS = {
    "one-file": ("user-data.sh", "submit.sh", ("--interrupt-after", "11m", "--code",
                 "https://github.com/example/one-file.git={foreign}/one-file/code",
                 "--job-volume-tag", "training-data", "--log", "{log}")),
    "s3-resume": ("user-data.sh", "submit.sh", ("--interrupt-after", "11m", "--log", "{log}",
                  "--copies", "s3://training-123456789012/checkpoints")),
    "cron-sync": ("user-data.yaml", "operator.sh", ("--interrupt-after", "47m")),
}


def init(spotsim, foreign, job, folder):
    """Writes the job's scenario, and returns its file."""
    user_data, script, options = JOBS[job]
    log, before = folder / "train.log", folder / "before.sh"
    log.write_text(PLAIN_LOG)
    before.write_text((foreign / job / script).read_text().split("request=$(mktemp)")[0])
    scenario = folder / f"{job}.yaml"
    made = subprocess.run(
        [spotsim, "init", "--user-data", foreign / job / user_data,
         "--fleet", foreign / job / "fleet.json",
         "--prices", foreign.parent / "traces/us-west-2-gpu.json", "--before", before, *START,
         *(option.format(foreign=foreign, log=log) for option in options), "-o", scenario],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if made.returncode != 0:
        fail(f"{job}: exit status {made.returncode} of init\n{made.stderr}")
    if "--log" in options:
        for part in RECOGNISED:
            if part not in made.stderr:
                fail(f"{job}: expected {part!r} in\n{made.stderr}")
    return scenario


def init_training_job(spotsim, sagemaker, folder):
    """The same for the request of a SageMaker estimator."""
    scenario = folder / "training-job.yaml"
    made = subprocess.run(
        [spotsim, "init", "--training-job", sagemaker / "job.json", "--image", sagemaker / "image",
         "--prices", sagemaker.parent / "traces/us-west-2-gpu.json", "--before",
         sagemaker / "prepare.sh", "--interrupt-after", "13m", *START, "-o", scenario],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if made.returncode != 0:
        fail(f"exit status {made.returncode} of init\n{made.stderr}")
    return scenario


def main():
    spotsim, foreign, job = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    with tempfile.TemporaryDirectory(prefix="init-") as temporary:
        folder = pathlib.Path(temporary)
        scenario = (init_training_job(spotsim, foreign.parent / "sagemaker", folder)
                    if job == "sagemaker" else init(spotsim, foreign, job, folder))
        if subprocess.run([spotsim, "validate", scenario], check=False).returncode != 0:
            skip("this machine cannot run process guests")
        run = Run(spotsim, scenario, "--guest", "process", out=folder / "run")
        if run.status != 0:
            fail(f"{job}: exit status {run.status}\n{scenario.read_text()}\n"
                 f"{run.process.stderr[-3000:]}")
        if job == "sagemaker" and run.result["training_jobs"][0]["interruptions"] != 1:
            fail(f"expected an interruption: {run.result['training_jobs']}")
    print(f"init writes a scenario of {job} that runs as expected")


main()
