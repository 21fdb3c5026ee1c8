#!/usr/bin/env python3
"""Training steps of spottrain's CPU engine beside PyTorch's, on the same processors and threads.

trainer_cpu_bench.py BENCH [--models resnet20,mnist-cnn] [--threads 1,2] [--rounds N] [--batch N]

BENCH is the built trainer_cpu_bench. Both take turns, so that what else the machine does hits both;
each figure is the best step of all rounds, in images a second; PyTorch's is the better of its two
memory formats. Needs python3-torch.
"""
import argparse
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

from trainer_torch_models import MnistCnn, ResNet20, ResNet50

MODELS = {"mnist-cnn": MnistCnn, "resnet20": ResNet20, "resnet50-cifar": ResNet50}


def torch_stepper(model_class, batch, channels_last):
    """A function that trains one step."""
    model, x = model_class(), torch.randn(batch, *model_class.image)
    labels = torch.randint(0, 10, (batch,))
    if channels_last:
        model = model.to(memory_format=torch.channels_last)
        x = x.contiguous(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step():
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(model(x), labels).backward()
        optimizer.step()
    return step


def best_rate(step, batch, steps):
    best = float("inf")
    for _ in range(steps):
        start = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - start)
    return batch / best


def compare(arguments, name, threads):
    torch.set_num_threads(threads)
    steppers = {format: torch_stepper(MODELS[name], arguments.batch, format == "channels_last")
                for format in ("NCHW", "channels_last")}
    best = dict.fromkeys(["spottrain", *steppers], 0.0)
    command = [arguments.bench, name, "--threads", str(threads), "--batch", str(arguments.batch),
               "--steps", str(arguments.steps)]
    for _ in range(arguments.rounds):
        found = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        best["spottrain"] = max(best["spottrain"], found)
        for format, step in steppers.items():
            best[format] = max(best[format], best_rate(step, arguments.batch, arguments.steps))
    peer = max(best[format] for format in steppers)
    print(f"{name:16}{threads:8}" + "".join(f"{rate:15.0f}" for rate in best.values())
          + f"{best['spottrain'] / peer:8.2f}×", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--models", default="resnet20,mnist-cnn")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10, help="a round")
    parser.add_argument("--batch", type=int, default=128)
    arguments = parser.parse_args()
    print(f"PyTorch {torch.__version__}, batch {arguments.batch}, best of "
          f"{arguments.rounds * arguments.steps} steps, images a second")
    columns = ("spottrain", "torch NCHW", "torch NHWC")
    print(f"{'model':16}{'threads':>8}" + "".join(f"{name:>15}" for name in columns) + "   ratio")
    for name in arguments.models.split(","):
        for threads in map(int, arguments.threads.split(",")):
            compare(arguments, name, threads)


if __name__ == "__main__":
    sys.exit(main())
