#!/usr/bin/env python3
"""What spottrain's models learn: trains each case, prints the table of docs/notes/learning.md and
draws its plot.

    python3 bench/learning.py --spottrain build/bin/spottrain --plot docs/notes/learning.svg

The cases on real digits need the folder with mnist-t10k/ and optdigits/ (--digits) and are left out
without it. All results are the same on every machine with FMA and for any number of threads.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

SHAPES = ["--model", "resnet20", "--batch", "128", "--learning-rate", "0.05",
          "--schedule", "cosine", "--epochs", "10"]
CASES = {
    "ResNet-20, shapes": ("shapes", SHAPES),
    "ResNet-20, shapes, crop:4,flip": ("shapes", SHAPES + ["--augment", "crop:4,flip"]),
    "MNIST CNN, 8 000 digits": ("mnist-t10k", [
        "--model", "mnist-cnn", "--batch", "128", "--learning-rate", "0.05", "--weight-decay", "0",
        "--epochs", "6", "--validation", "2000"]),
    "two convolutions, optdigits": ("optdigits", [
        "--model", os.path.join(HERE, "models", "digits.model"), "--batch", "64",
        "--learning-rate", "0.05", "--schedule", "cosine", "--epochs", "15"]),
}
COLOURS = ["#1b6ca8", "#d1495b", "#3c8d5a", "#8c6bb1"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 44, 628, 14, 326


def curve(spottrain, data, options, threads):
    """The accuracies in percent after each epoch."""
    with tempfile.TemporaryDirectory() as folder:
        metrics = os.path.join(folder, "metrics.jsonl")
        command = [spottrain, "train", "--data", data, "--checkpoints", folder,
                   "--metrics", metrics, "--policy", "none", "--threads", str(threads), *options]
        subprocess.run(command, check=True, stdout=sys.stderr)
        with open(metrics) as lines:
            rows = [json.loads(line) for line in lines]
    return [100 * (row["validation_accuracy"] or row["test_accuracy"]) for row in rows]


def text(x, y, anchor, words):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def line(x1, x2, y, colour, width):
    return (f'<line x1="{x1}" x2="{x2}" y1="{y:.1f}" y2="{y:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"/>')


def svg(curves):
    """Accuracy over epochs, one line per case."""
    most = max(len(values) for values in curves.values())

    def at(epoch, percent):
        return LEFT + (RIGHT - LEFT) * epoch / most, BOTTOM - (BOTTOM - TOP) * percent / 100

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for percent in range(0, 101, 20):
        y = at(0, percent)[1]
        parts += [line(LEFT, RIGHT, y, "#dddddd", 1), text(LEFT - 6, y + 4, "end", f"{percent} %")]
    for epoch in range(0, most + 1, 5 if most > 10 else 1):
        parts.append(text(at(epoch, 0)[0], BOTTOM + 16, "middle", epoch))
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 31, "middle", "epochs"))
    for i, (name, values) in enumerate(curves.items()):
        places = [at(epoch, value) for epoch, value in enumerate(values, 1)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        y = BOTTOM - 14 - 18 * (len(curves) - 1 - i)
        parts += [f'<polyline points="{points}" fill="none" stroke="{COLOURS[i]}" '
                  'stroke-width="2"/>',
                  line(380, 404, y - 4, COLOURS[i], 2), text(410, y, "start", name)]
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    shared = os.environ.get("SPOTSIM_SHARED", "../shared")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spottrain", required=True)
    parser.add_argument("--digits", default=os.path.join(shared, "data"))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--plot", help="SVG file to write")
    options = parser.parse_args()
    curves = {}
    with tempfile.TemporaryDirectory() as shapes:
        subprocess.run([options.spottrain, "synthesize", shapes, "--train", "10000",
                        "--test", "2000"], check=True)
        for name, (data, words) in CASES.items():
            folder = shapes if data == "shapes" else os.path.join(options.digits, data)
            if os.path.isdir(folder):
                curves[name] = curve(options.spottrain, folder, words, options.threads)
            else:
                print(f"left out: {name}: no {folder}", file=sys.stderr)
    print("| case | accuracy after each epoch, % |\n|---|---|")
    for name, values in curves.items():
        print(f"| {name} | {' '.join(f'{value:.1f}' for value in values)} |")
    if options.plot:
        with open(options.plot, "w") as out:
            out.write(svg(curves))


if __name__ == "__main__":
    main()
