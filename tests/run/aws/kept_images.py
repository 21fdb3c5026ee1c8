"""A log does not depend on where the memory image of aws-cli comes from.

kept_images.py SPOTSIM SCENARIO

The image is taken in the run, or an earlier run has kept it on the disk, or the kept file is
truncated, changed, or cannot be kept. Two runs that begin at the same time may share a folder.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from support import Run, fail, first_difference, need_lockstep

CANNOT_KEEP = "later runs must make this memory image again"


def log_with(spotsim, scenario, cache, out, notices=0):
    os.environ["XDG_CACHE_HOME"] = str(cache)
    run = Run(spotsim, scenario, "--guest", "process", "--set", "guest.aws=warm", out=out)
    if run.status != 0:
        fail(f"exit {run.status}\n{run.process.stderr[-3000:]}")
    found = run.process.stderr.count("aws: ")
    if found != notices:
        fail(f"{found} notices, not {notices}:\n{run.process.stderr[-3000:]}")
    if notices and CANNOT_KEEP not in run.process.stderr:
        fail(f"another notice:\n{run.process.stderr[-3000:]}")
    return run.events


def images(cache):
    """Inode and size of each image, by name: a new file has another inode."""
    return {file.name: (file.stat().st_ino, file.stat().st_size)
            for file in (cache / "spotsim").iterdir()}


def main():
    spotsim, scenario = sys.argv[1:]
    need_lockstep()
    with tempfile.TemporaryDirectory(prefix="kept-images-") as name:
        folder = pathlib.Path(name)
        cache, out = folder / "cache", folder / "out"
        taken = log_with(spotsim, scenario, cache, out)
        first = images(cache)

        def expect(what, log, same_images=None):
            if log != taken:
                fail(f"{what}: {first_difference(taken, log)}")
            if same_images is not None and (images(cache) == first) != same_images:
                fail(f"{what}: the images were {first}, and are {images(cache)}")

        if not first or os.stat(cache / "spotsim").st_mode & 0o777 != 0o700:
            fail(f"the folder has {first}")
        expect("from the disk", log_with(spotsim, scenario, cache, out), True)
        for image in (cache / "spotsim").iterdir():
            os.truncate(image, image.stat().st_size // 2)
        expect("truncated", log_with(spotsim, scenario, cache, out), False)
        first = images(cache)
        for image in (cache / "spotsim").iterdir():
            with image.open("r+b") as file:
                file.seek(image.stat().st_size // 2)
                file.write(b"changed")
        expect("changed", log_with(spotsim, scenario, cache, out), False)

        file = folder / "file"  # root may write everywhere, except below a file
        file.touch()
        expect("no folder", log_with(spotsim, scenario, file, out, notices=1))
        os.chmod(cache / "spotsim", 0o777)
        expect("of all users", log_with(spotsim, scenario, cache, out, notices=1))

        os.environ["XDG_CACHE_HOME"] = str(folder / "shared")
        both = [subprocess.Popen([spotsim, "run", scenario, "--guest", "process", "--set",
                                  "guest.aws=warm", "--out", folder / f"both{i}"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for i in range(2)]
        for i, run in enumerate(both):
            if run.wait() != 0:
                fail(f"one of two: exit {run.returncode}")
            expect("one of two", (folder / f"both{i}/events.jsonl").read_bytes())
        if len(images(folder / "shared")) != len(first):
            fail(f"two runs left {images(folder / 'shared')}")


main()
