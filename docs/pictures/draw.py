#!/usr/bin/env python3
"""Draws the pictures of the documentation, each into docs/pictures/NAME.svg.

    python3 docs/pictures/draw.py                draws all of them anew
    python3 docs/pictures/draw.py az-hop         draws one
    python3 docs/pictures/draw.py --check        exit 1 if a file is not what this command draws

A picture of a run needs a built spotsim. --spotsim names it, and --run names the folder of a run
that is there already. The files are the same on every machine where guests run at level root.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import architecture  # noqa: E402
import az_hop  # noqa: E402
import checkpoint_interval  # noqa: E402
import states  # noqa: E402
import sweep_page  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SKIPPED = 77  # CTest's code for a test that cannot run here

# Name: the function that draws the picture, and the spotsim command with its data.
# A picture without a command is drawn from the sources.
PICTURES = {
    "architecture": (architecture.draw, None),
    "az-hop": (az_hop.draw, ["run", "scenarios/az-hop.yaml"]),
    "checkpoint-interval": (checkpoint_interval.draw,
                            ["sweep", "scenarios/sweeps/checkpoint-frequency.yaml"]),
    "states-instance": (states.drawing("instance", "States of an instance"), None),
    "states-spot-request": (states.drawing("spot-request", "States of a Spot request"), None),
    "states-training-job": (states.drawing("training-job", "Secondary statuses of a training job"),
                            None),
    "states-volume": (states.drawing("volume", "States of a volume"), None),
    "sweep": (sweep_page.draw, ["sweep", "scenarios/sweeps/policies.yaml"]),
}
OF_PAGES = ["sweep"]  # which Chromium draws


def call(spotsim, *command):
    done = subprocess.run([spotsim, *command], cwd=ROOT, capture_output=True, text=True)
    if "was built without the page" in done.stderr:
        print("skipped: the build had no esbuild or d3")
        sys.exit(SKIPPED)
    if done.returncode != 0:
        sys.exit(f"draw.py: {spotsim} {' '.join(map(str, command))} failed:\n{done.stderr}")


def skip_other_levels(folder):
    """At other levels than root, and without lockstep, times of guests differ by milliseconds."""
    result = folder / "result.json"
    if not result.exists():
        return
    found = json.loads(result.read_text())
    if found["level"] != "root" or not found["lockstep"]:
        print(f"skipped: guests ran at level {found['level']}, lockstep {found['lockstep']}")
        sys.exit(SKIPPED)


def drawn(name, options):
    draw, command = PICTURES[name]
    if command is None:
        return draw(ROOT)
    with tempfile.TemporaryDirectory() as made:
        folder = options.run or pathlib.Path(made)
        if not options.run:
            call(options.spotsim, *command, "--out", folder)
        if name in OF_PAGES:
            call(options.spotsim, "report", folder)
        if options.check:
            skip_other_levels(folder)
        return draw(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--spotsim", default=ROOT / "build/bin/spotsim", type=pathlib.Path)
    parser.add_argument("--run", type=pathlib.Path)
    options = parser.parse_args()
    for name in options.names:
        if name not in PICTURES:
            parser.error(f"found picture {name!r}, expected one of {', '.join(PICTURES)}")
    for name in options.names or PICTURES:
        path, text = FOLDER / f"{name}.svg", drawn(name, options)
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what draw.py draws: "
                     f"run python3 docs/pictures/draw.py {name}")


main()
