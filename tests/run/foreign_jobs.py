"""foreign_jobs.py SPOTSIM SCENARIO ADAPTERS: trainers that do not report in spotsim's format. The
log of a trainer that only prints is read, and its job has not completed if the checkpoints were on
a root disk. The adapters in ADAPTERS report what the result counts. One is used in a run, the
others are called as Keras and Lightning call callbacks."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import Run, fail

# Calls what a Keras 2 model.fit() does, for epochs 2 and 3 of 3 with two batches each.
KERAS = """
import keras_progress
from tensorflow import keras
made = keras_progress.Progress(FOLDER + "/model-{epoch:02d}.h5")
made.set_params({"verbose": 1, "epochs": 3, "steps": 2})
made.set_model(None)
made.on_train_begin({})
for epoch in (1, 2):
    made.on_epoch_begin(epoch, {})
    for batch in (0, 1):
        made.on_train_batch_begin(batch, {})
        made.on_train_batch_end(batch, {"loss": 1.0})
    if epoch == 2:  # save_best_only
        open(f"{FOLDER}/model-{epoch + 1:02d}.h5", "w").write("model")
    made.on_epoch_end(epoch, {"loss": 1.0})
made.on_train_end({})
"""
KERAS_BASE = """
class Callback:
    def __init__(self): self.params = self.model = None
    def set_params(self, params): self.params = params
    def set_model(self, model): self.model = model
    def on_train_begin(self, logs=None): pass
    def on_train_batch_begin(self, batch, logs=None): pass
"""
# What Trainer.fit() does for two batches; ModelCheckpoint saves after each, called last.
LIGHTNING = """
import types
import lightning_progress
made = lightning_progress.Progress()
saver = types.SimpleNamespace(last_model_path="", best_model_path="")
trainer = types.SimpleNamespace(global_step=4, estimated_stepping_batches=6,
                                checkpoint_callback=saver)
made.on_train_start(trainer, None)
for index in (0, 1):
    made.on_train_batch_start(trainer, None, None, index)
    trainer.global_step += 1
    made.on_train_batch_end(trainer, None, None, None, index)
    saver.best_model_path = f"{FOLDER}/step={trainer.global_step}.ckpt"
made.on_fit_end(trainer, None)
"""
PLAIN = """
import time
from progress import report, save
report("start", step=0, total_steps=4)
for step in range(1, 5):
    time.sleep(30)
    report("step", step=step)
    if step % 2 == 0:
        save("/data/model", b"state of %d" % step, step)
report("finished", step=4)
"""
USER_DATA = """#!/bin/bash
export AWS_DEFAULT_REGION=us-west-2
id=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)
volume=$(aws ec2 describe-volumes --filters Name=status,Values=available \\
  --query 'Volumes[0].VolumeId' --output text)
aws ec2 attach-volume --volume-id "$volume" --instance-id "$id" --device /dev/sdf
until [ -b /dev/xvdf ]; do sleep 1; done
mkfs.ext4 -q /dev/xvdf && mkdir -p /data && mount /dev/xvdf /data
cd /root
cat >progress.py <<'END'
ADAPTER
END
cat >train.py <<'END'
TRAINING
END
env -u JOB_EVENTS python3 train.py
umount /data
poweroff
"""
SCENARIO = """name: plain
start: 2019-11-05T10:00:00Z
limit: 1h
market: {prices: [PRICES]}
operator:
  files: FILES
  script: |
    aws ec2 create-volume --availability-zone us-west-2b --size 1 --volume-type gp2
    aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge \\
      --placement AvailabilityZone=us-west-2b --instance-market-options MarketType=spot \\
      --iam-instance-profile Name=spot-training --user-data file://train.sh
expect: {outcome: completed, steps_total: 4, lost_steps: 0, state_kept: true}
"""


def reported(folder, program, modules):
    """The lines that a program with the adapters reports, each with its words."""
    for name, text in modules.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    events = folder / "events"
    events.write_text("")
    subprocess.run([sys.executable, "-c", f"FOLDER = {str(folder)!r}\n" + program], check=True,
                   env={**os.environ, "PYTHONPATH": str(folder), "JOB_EVENTS": str(events)})
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    return [" ".join(str(line[key]) for key in ("event", "step", "total_steps", "path")
                     if key in line).replace(str(folder), "FOLDER") for line in lines]


def check(name, found, expected):
    if found != expected:
        fail(f"{name}: found {found}, expected {expected}")


def stand_ins(adapters, folder):
    for file in adapters.glob("*.py"):
        shutil.copy(file, folder)
    keras = {"tensorflow/__init__.py": "from . import keras\n",
             "tensorflow/keras/__init__.py": "from . import callbacks\n",
             "tensorflow/keras/callbacks.py": KERAS_BASE}
    check("keras", reported(folder, KERAS, keras),
          ["start 2 6", "step 3", "step 4", "step 5", "step 6",
           "checkpoint-written 6 FOLDER/model-03.h5", "finished 6"])
    check("lightning", reported(folder, LIGHTNING,
                                {"lightning/__init__.py": "", "lightning/pytorch/__init__.py": "",
                                 "lightning/pytorch/callbacks.py": "class Callback: pass\n"}),
          ["start 4 6", "step 5", "checkpoint-written 5 FOLDER/step=5.ckpt", "step 6",
           "checkpoint-written 6 FOLDER/step=6.ckpt", "finished 6"])


def plain_python(spotsim, adapters, traces, folder):
    files = folder / "files"
    files.mkdir()
    adapter = (adapters / "progress.py").read_text()
    (files / "train.sh").write_text(
        USER_DATA.replace("ADAPTER", adapter).replace("TRAINING", PLAIN))
    scenario = folder / "plain.yaml"
    scenario.write_text(SCENARIO.replace("PRICES", str(traces)).replace("FILES", str(files)))
    run = Run(spotsim, str(scenario), out=folder / "plain")
    if run.status != 0:
        fail(f"plain Python: exit {run.status}\n{run.process.stderr[-3000:]}")
    evidence = run.result["evidence"]
    if evidence["step"] != 4 or evidence["path"] != "/data/model" or not evidence["on"]:
        fail(f"plain Python: {evidence}")


def root_disk(spotsim, scenario, folder):
    """The same training, but its volume was never mounted."""
    text = scenario.read_text().replace("mount /dev/xvdf /data && cd", "cd").replace(
        "umount /data", "true").replace("traces/", f"{scenario.parent}/traces/")
    changed = folder / "root-disk.yaml"
    changed.write_text(text)
    run = Run(spotsim, str(changed), "--set", "interruptions=[]", out=folder / "root-disk")
    result, cause = run.result, run.result["cause"]
    if run.status != 1 or result["outcome"] != "failed" or result["evidence"]["kept"] is not False:
        fail(f"root disk: exit {run.status}, {result['outcome']}, {result['evidence']}")
    where = "was on the root disk of " + cause["machine"]
    for part in ("its state is gone", "/data/model-5.h5", where):
        if part not in cause["why"]:
            fail(f"root disk: no {part!r} in {cause['why']!r}")
    if any(attempt["steps_kept"] for attempt in result["attempts"]):
        fail("root disk: steps are kept that are gone")


def never_started(spotsim, scenario, folder):
    """Its interpreter is missing: every script ends well, and nothing was trained."""
    text = scenario.read_text().replace("train >/var/log/train.log 2>&1", "no-such-python train.py")
    changed = folder / "never.yaml"
    changed.write_text(text.replace("traces/", f"{scenario.parent}/traces/"))
    run = Run(spotsim, str(changed), "--set", "interruptions=[]", out=folder / "never")
    outcome, cause = run.result["outcome"], run.result["cause"]
    if outcome != "failed" or "its trainer never started" not in cause["why"]:
        fail(f"never started: {outcome}, {cause}")
    if "no-such-python: command not found" not in run.process.stderr:
        fail(f"never started: the console's line is not told:\n{run.process.stderr[-2000:]}")


program = sys.argv[1]
example, folder_of_adapters = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
with tempfile.TemporaryDirectory(prefix="foreign-jobs-") as scratch:
    here = pathlib.Path(scratch)
    stand_ins(folder_of_adapters, here)
    plain_python(program, folder_of_adapters, example.parent / "traces/us-west-2-gpu.json", here)
    root_disk(program, example, here)
    never_started(program, example, here)
    print("adapters and rules tell the same of foreign trainers; what is gone is no completed run")
