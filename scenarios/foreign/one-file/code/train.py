"""Trains 16 steps of a minute, and saves its state after every fourth step and on SIGTERM."""
import json
import os
import signal
import sys
import time

STEPS, EVERY, STATE = 16, 4, "/data/state.json"
stopping = []


def save(state):
    with open(STATE, "w", encoding="utf-8") as file:
        json.dump(state, file)
        file.flush()
        os.fsync(file.fileno())
    print(f"Saved {STATE} at step {state['step']}", flush=True)


def load():
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, json.JSONDecodeError):
        return {"step": 0, "loss": 4.0}


def main():
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    state = load()
    print(f"Resuming from step {state['step']}", flush=True)
    while state["step"] < STEPS and not stopping:
        time.sleep(60)
        state = {"step": state["step"] + 1, "loss": state["loss"] * 0.9}
        print(f"step {state['step']}/{STEPS}", flush=True)
        if state["step"] % EVERY == 0:
            save(state)
    if stopping:
        save(state)
        sys.exit(143)


main()
