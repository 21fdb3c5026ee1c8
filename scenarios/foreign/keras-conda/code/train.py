"""Fits a line by gradient descent, in the usual shape of a Keras script: callbacks, a checkpoint
file for each epoch, and a resume from the newest."""
import argparse
import glob
import json
import os
import random
import re
import sys
import time
import urllib.error
import urllib.request

NOTICE = "http://169.254.169.254/latest/meta-data/spot/instance-action"
BATCHES = 20  # of an epoch


class SpotNotice:
    """Ends training when EC2 takes the instance back; until then the metadata service says 404."""

    def on_batch_end(self, epoch, batch, weights):
        try:
            with urllib.request.urlopen(NOTICE, timeout=2) as answer:
                action = json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return
            raise
        sys.exit(f"epoch {epoch}, batch {batch}: to {action['action']} at {action['time']}")

    def on_epoch_end(self, epoch, weights):
        pass


class Checkpoints:
    """A file for each epoch, on the volume."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def newest(self):
        """The number of epochs that are done, and the weights after them."""
        files = glob.glob(os.path.join(self.folder, "weights-*.json"))
        if not files:
            return 0, {"slope": 0.0, "offset": 0.0}
        newest = max(files, key=lambda name: int(re.findall(r"\d+", os.path.basename(name))[0]))
        with open(newest, encoding="utf-8") as file:
            saved = json.load(file)
        print(f"resuming from {newest}", flush=True)
        return saved["epoch"], saved["weights"]

    def on_batch_end(self, epoch, batch, weights):
        pass

    def on_epoch_end(self, epoch, weights):
        name = os.path.join(self.folder, f"weights-{epoch}.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump({"epoch": epoch, "weights": weights}, file)


class Progress:
    """Lets spotsim hear of the steps, where it listens."""

    def __init__(self, first, total, folder):
        self.tell(event="start", step=first, total_steps=total, folder=os.path.abspath(folder))

    def tell(self, **what):
        if path := os.environ.get("JOB_EVENTS"):
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"source": "trainer", **what}) + "\n")

    def on_batch_end(self, epoch, batch, weights):
        self.tell(event="step", step=(epoch - 1) * BATCHES + batch)

    def on_epoch_end(self, epoch, weights):
        self.tell(event="checkpoint-written", step=epoch * BATCHES)


def train_on_batch(weights, numbers, seconds):
    time.sleep(seconds)
    points = [(x, 3 * x + 1) for x in (numbers.random() for _ in range(32))]
    errors = [(x, weights["slope"] * x + weights["offset"] - y) for x, y in points]
    weights["slope"] -= 0.5 * sum(x * error for x, error in errors) / len(errors)
    weights["offset"] -= 0.5 * sum(error for _, error in errors) / len(errors)
    return sum(error * error for _, error in errors) / len(errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoints", required=True)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-seconds", type=float, default=4.5)
    options = parser.parse_args()

    checkpoints = Checkpoints(options.checkpoints)
    done, weights = checkpoints.newest()
    progress = Progress(done * BATCHES, options.epochs * BATCHES, options.checkpoints)
    callbacks = [checkpoints, progress, SpotNotice()]
    for epoch in range(done + 1, options.epochs + 1):
        numbers = random.Random(epoch)
        for batch in range(1, BATCHES + 1):
            loss = train_on_batch(weights, numbers, options.batch_seconds)
            for callback in callbacks:
                callback.on_batch_end(epoch, batch, weights)
        for callback in callbacks:
            callback.on_epoch_end(epoch, weights)
        print(f"epoch {epoch}/{options.epochs}: loss {loss:.6f}", flush=True)
    progress.tell(event="finished", step=options.epochs * BATCHES)


main()
