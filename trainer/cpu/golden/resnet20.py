#!/usr/bin/env python3
"""Makes resnet20.json: the results of PyTorch for a ResNet-20 in double precision.

    trainer_cpu_golden_inputs | resnet20.py > resnet20.json

Also prints the distance of PyTorch's own float32 on standard error. Needs python3-torch.
"""
import json
import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))
from trainer_torch_models import ResNet20  # noqa: E402

STEPS, IMAGES = 10, 32
OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.9, weight_decay=1e-3),
    "adam": lambda p: torch.optim.Adam(p, lr=2e-4, weight_decay=1e-3),
}


class Inputs:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, kind, *shape):
        count = int(numpy.prod(shape))
        values = numpy.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return torch.from_numpy(values.reshape(shape).copy())


def tensors(model):
    """The model's tensors in spottrain's order and, as views, in its layout."""
    trained, running = [], []
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            trained.append((module.weight, lambda w: w.permute(2, 3, 1, 0)))
        elif isinstance(module, nn.BatchNorm2d):
            trained += [(module.weight, lambda w: w), (module.bias, lambda w: w)]
            running += [(module.running_mean, lambda w: w), (module.running_var, lambda w: w)]
        elif isinstance(module, nn.Linear):
            trained += [(module.weight, lambda w: w.t()), (module.bias, lambda w: w)]
    return trained, running


def read(inputs, dtype):
    """A model with the initial state, and the batches."""
    model = ResNet20().to(dtype)
    trained, running = tensors(model)
    with torch.no_grad():
        for tensor, view in trained + running:
            view(tensor).copy_(inputs.take("<f4", *view(tensor).shape))
    batches = [(inputs.take("<f4", IMAGES, 32, 32, 3).permute(0, 3, 1, 2).to(dtype),
                inputs.take("<i4", IMAGES).long()) for _ in range(STEPS)]
    if inputs.at != len(inputs.data):
        sys.exit(f"{len(inputs.data)} bytes of inputs, expected {inputs.at}")
    return model, batches


def summary(values):
    """The norm of each tensor, and its part along 1, 2, 3 … 7, 1, 2 … A norm alone does not detect
    values in another order."""
    result = []
    for value in values:
        flat = value.detach().double().reshape(-1)
        direction = (torch.arange(len(flat)) % 7 + 1).double()
        along = flat.dot(direction) / direction.norm()
        result.append([float(f"{float(x):.8g}") for x in (flat.norm(), along)])
    return result


def train(data, optimizer, dtype):
    model, batches = read(Inputs(data), dtype)
    trained, running = tensors(model)
    step = OPTIMIZERS[optimizer]([tensor for tensor, _ in trained])
    found = {"losses": []}
    for x, labels in batches:
        step.zero_grad()
        logits = model(x)
        loss = F.cross_entropy(logits, labels)
        loss.backward()
        if not found["losses"]:
            found["first_gradient"] = summary(view(tensor.grad) for tensor, view in trained)
        step.step()
        found["losses"].append(float(f"{float(loss):.9g}"))
    found["state"] = summary(view(tensor) for tensor, view in trained + running)
    model.eval()
    found["logits"] = [float(f"{float(x):.8g}") for x in model(batches[0][0])[0]]
    return found


def distance(a, b):
    """The largest difference, relative to the norm beside it or to the largest value of a list."""
    a, b = numpy.array(a), numpy.array(b)
    size = b[:, :1] if b.ndim == 2 else numpy.max(numpy.abs(b))
    return float(numpy.max(numpy.abs(a - b) / size))


def main():
    data = sys.stdin.buffer.read()
    golden = {}
    for optimizer in OPTIMIZERS:
        exact, single = (train(data, optimizer, dtype) for dtype in (torch.float64, torch.float32))
        print(optimizer, {key: f"{distance(single[key], exact[key]):.1e}" for key in exact},
              file=sys.stderr)
        golden[optimizer] = exact
    del golden["adam"]["first_gradient"]  # the same
    print(json.dumps(golden, indent=None, separators=(",", ":")).replace('],"', '],\n"'))


if __name__ == "__main__":
    main()
