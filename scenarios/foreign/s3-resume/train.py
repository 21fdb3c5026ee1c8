"""Trains 16 steps of a minute, and saves every fourth step and on SIGTERM."""
import os
import pathlib
import signal
import sys
import time

STEPS, EVERY = 16, 4
FOLDER = pathlib.Path("checkpoints")
stopping = []


def save(step):
    path = FOLDER / f"step-{step:05d}.pt"
    with open("new", "w", encoding="utf-8") as file:
        file.write(f"weights after step {step}\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace("new", path)
    print(f"Saved {path.absolute()} at step {step}", flush=True)


def main():
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    saved = sorted(FOLDER.glob("step-*.pt"))
    step = int(saved[-1].stem.split("-")[1]) if saved else 0
    print(f"Resuming from step {step}", flush=True)
    while step < STEPS and not stopping:
        time.sleep(60)
        step += 1
        print(f"step {step}/{STEPS}", flush=True)
        if step % EVERY == 0:
            save(step)
    if stopping:
        save(step)
        sys.exit(143)


main()
