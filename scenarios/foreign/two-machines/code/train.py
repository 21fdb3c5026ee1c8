#!/usr/bin/env python3
"""Two machines train one model: each step they exchange gradients over a socket and add them up.

train.py --rank 0|1 --folder FOLDER

Rank 0 listens, rank 1 looks up its address and connects. When the other one is lost they meet again
and go on from the newest checkpoint that both have. Prints the sum of the weights when training is
over.
"""
import argparse
import array
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import time

STEPS = 200
STEP_SECONDS = 6.0
SAVE_EVERY = 20
WEIGHTS = 20_000  # 160 kB of doubles
PORT = 29400
PATIENCE = 120  # seconds without a word from the other one


def report(event, **fields):
    """Rank 0 tells the testbed about the job's progress, where there is one."""
    if "JOB_EVENTS" in os.environ:
        with open(os.environ["JOB_EVENTS"], "w", encoding="ascii") as out:
            out.write(json.dumps({"source": "trainer", "event": event, **fields}) + "\n")


def log(*words):
    print(time.strftime("%H:%M:%S"), *words, file=sys.stderr, flush=True)


def address_of_rank_0():
    found = subprocess.run(
        ["aws", "ec2", "describe-instances", "--output", "text",
         "--filters", "Name=tag:Rank,Values=0", "Name=instance-state-name,Values=running",
         "--query", "Reservations[].Instances[].PrivateIpAddress"],
        stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    return found[0] if found else None


def meet(rank, listener):
    """A connection to the other rank, however long it takes until it is there."""
    while True:
        try:
            if rank == 0:
                other, address = listener.accept()
                log("rank 1 is at", address[0])
            else:
                address = address_of_rank_0()
                if address is None:
                    raise OSError("rank 0 is not running")
                other = socket.create_connection((address, PORT), timeout=10)
                log("rank 0 is at", address)
            other.settimeout(PATIENCE)
            other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return other
        except OSError as error:
            log("not met:", error)
            time.sleep(10)


def receive(other, size):
    data = bytearray(size)
    view = memoryview(data)
    while view:
        n = other.recv_into(view)
        if n == 0:
            raise OSError("the other rank has gone")
        view = view[n:]
    return data


def checkpoints(folder):
    return sorted(int(path.name.split("-")[1]) for path in folder.glob("step-*"))


def save(folder, step, weights):
    temporary = folder / "saving"
    with open(temporary, "wb") as out:
        weights.tofile(out)
        out.flush()
        os.fsync(out.fileno())
    temporary.rename(folder / f"step-{step}")
    for old in checkpoints(folder)[:-2]:
        (folder / f"step-{old}").unlink()


def load(folder, step):
    weights = array.array("d")
    if step == 0:
        weights.frombytes(bytes(8 * WEIGHTS))
    else:
        with open(folder / f"step-{step}", "rb") as file:
            weights.fromfile(file, WEIGHTS)
    return weights


def newest_of_both(folder, other):
    """The newest step that both ranks have saved; 0 where there is none."""
    mine = [0] + checkpoints(folder)[-2:]
    other.sendall(struct.pack("3q", *(mine + [0, 0])[:3]))
    theirs = struct.unpack("3q", receive(other, 24))
    return max(set(mine) & set(theirs))


def gradient(rank, step, weights):
    """What a model would compute: here numbers of the rank, the step and the weights."""
    draw = random.Random(1000 * step + rank)
    base = draw.random() - weights[step % WEIGHTS]
    return array.array("d", [base]) * WEIGHTS


def train(rank, folder, other):
    step = newest_of_both(folder, other)
    weights = load(folder, step)
    log("going on from step", step)
    if rank == 0:
        report("start", step=step, total_steps=STEPS, checkpoint=None, folder=str(folder))
    while step < STEPS:
        step += 1
        mine = gradient(rank, step, weights)
        time.sleep(STEP_SECONDS)
        data = mine.tobytes()
        if rank == 0:  # one sends while the other one receives
            other.sendall(data)
            theirs = receive(other, len(data))
        else:
            theirs = receive(other, len(data))
            other.sendall(data)
        change = 0.05 * (mine[0] + array.array("d", bytes(theirs[:8]))[0])
        weights[step % WEIGHTS] += change
        if rank == 0:
            report("step", step=step)
        if step % SAVE_EVERY == 0:
            save(folder, step, weights)
            if rank == 0:
                report("checkpoint-durable", step=step, bytes=8 * WEIGHTS)
    return weights


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    listener = None
    if options.rank == 0:
        listener = socket.create_server(("", PORT))
    while True:
        other = meet(options.rank, listener)
        try:
            weights = train(options.rank, options.folder, other)
            break
        except OSError as error:
            log("lost the other rank:", error)
            other.close()
    if options.rank == 0:
        report("finished", step=STEPS)
    print(repr(sum(weights)))


main()
