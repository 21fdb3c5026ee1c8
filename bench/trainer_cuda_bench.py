#!/usr/bin/env python3
"""Training steps of spottrain's CUDA engine beside PyTorch's on the same GPU.

trainer_cuda_bench.py BENCH [--models resnet20,resnet50-cifar] [--batches 128,1024]
                      [--precisions fp32,tf32,bf16] [--modes eager,deterministic,compiled]
                      [--seconds S]

BENCH is the built trainer_cuda_bench. Images a second, the median of five windows. PyTorch runs
with channels_last, bf16 by autocast: eager with cudnn.benchmark, eager with deterministic
algorithms, and compiled (torch.compile, mode max-autotune, which uses CUDA graphs). Its batch stays
on the GPU; spottrain's is copied there for every step. Exit code 77 without a GPU.
"""
import argparse
import statistics
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

from trainer_torch_models import ResNet20, ResNet50

MODELS = {"resnet20": ResNet20, "resnet50-cifar": ResNet50}
MODES = ("eager", "deterministic", "compiled")
NO_GPU = 77


def torch_rate(name, batch, precision, mode, seconds):
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.deterministic = mode == "deterministic"
    torch.backends.cudnn.benchmark = mode != "deterministic"
    model = MODELS[name]().cuda().to(memory_format=torch.channels_last).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, fused=True)
    images = torch.randn(batch, 3, 32, 32, device="cuda").contiguous(
        memory_format=torch.channels_last)
    labels = torch.randint(0, 10, (batch,), device="cuda")

    def loss():
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=precision == "bf16"):
            return F.cross_entropy(model(images), labels)

    if mode == "compiled":
        loss = torch.compile(loss, mode="max-autotune")

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss().backward()
        optimizer.step()

    def window(length):
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < length:
            for _ in range(10):
                step()
            steps += 10
            torch.cuda.synchronize()
        return batch * steps / (time.perf_counter() - start)

    for _ in range(20):
        step()
    torch.cuda.synchronize()
    return statistics.median(window(seconds / 5) for _ in range(5))


def spottrain_rate(arguments, name, batch, precision, *flags):
    command = [arguments.bench, name, "--batch", str(batch), "--precision", precision,
               "--seconds", str(arguments.seconds), *flags]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def attempt(measure, *arguments):
    try:
        return f"{measure(*arguments):.0f}"
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"{arguments[1:]}: {str(error)[:300]}", file=sys.stderr)
        return "failed"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--models", default="resnet20,resnet50-cifar")
    parser.add_argument("--batches", default="128,1024")
    parser.add_argument("--precisions", default="fp32,tf32,bf16")
    parser.add_argument("--modes", default=",".join(MODES), help="of PyTorch")
    parser.add_argument("--seconds", type=float, default=5)
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("no GPU that PyTorch can use", file=sys.stderr)
        return NO_GPU
    modes = arguments.modes.split(",")
    columns = ["spottrain", "deterministic", *(f"torch {mode}" for mode in modes)]
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, "
          f"cuDNN {torch.backends.cudnn.version()}, images a second")
    print(f"{'model':16}{'batch':>6}{'':>6}" + "".join(f"{name:>20}" for name in columns))
    for name in arguments.models.split(","):
        for batch in map(int, arguments.batches.split(",")):
            for precision in arguments.precisions.split(","):
                rates = [attempt(spottrain_rate, arguments, name, batch, precision),
                         attempt(spottrain_rate, arguments, name, batch, precision,
                                 "--deterministic")]
                rates += [attempt(torch_rate, name, batch, precision, mode, arguments.seconds)
                          for mode in modes]
                print(f"{name:16}{batch:>6}{precision:>6}"
                      + "".join(f"{rate:>20}" for rate in rates), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
