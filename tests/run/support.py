"""Shared by the tests of the built program: running it, and finding what a run leaves."""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIP = 77  # CTest's SKIP_RETURN_CODE


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def fail(why):
    print(f"FAILED: {why}")
    sys.exit(1)


def expect(found, expected, what):
    if found != expected:
        fail(f"{what}: found {found!r}, expected {expected!r}")


def check_schema(document, name):
    """Fails if the document does not fit docs/NAME.schema.json."""
    try:
        import jsonschema
    except ImportError:
        print(f"python3-jsonschema is not installed: {name}.schema.json is not checked")
        return
    schema = pathlib.Path(__file__).parents[2] / f"docs/{name}.schema.json"
    judge = jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
    for error in judge.iter_errors(document):
        fail(f"{name}.schema.json: {error.json_path}: {error.message[:500]}")


def shows(lines, printed):
    """Whether these lines of a page are what was printed; "…" stands for any number of lines."""
    any_lines, line_end = r"(?:.*\n)*", r"[ \t]*\n"
    pattern = "".join(any_lines if line.strip() == "…" else re.escape(line.rstrip()) + line_end
                      for line in lines)
    return re.fullmatch(pattern, printed) is not None


class Run:
    """One finished `spotsim run`."""

    def __init__(self, spotsim, scenario, *options, out):
        self.out = pathlib.Path(out)
        self.process = subprocess.run(
            [spotsim, "run", scenario, "--out", str(out), "--json", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.status = self.process.returncode

    @property
    def events(self):
        return (self.out / "events.jsonl").read_bytes()

    @property
    def result(self):
        return json.loads(self.process.stdout)


def need_lockstep():
    """Byte-identical logs are promised in lockstep only, which needs root."""
    if os.geteuid() != 0:
        skip("not root: no lockstep, so no byte-identical logs are promised")


@contextlib.contextmanager
def computing(processes):
    """Runs the body while this number of processes compute."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
               for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def first_difference(a, b):
    for number, (x, y) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
        if x != y:
            return f"line {number}:\n  {x.decode()}\n  {y.decode()}"
    return f"one log is the other's beginning ({len(a)} and {len(b)} bytes)"


def descendants(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(c) for c in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child] + descendants(child)
    return found


def traces_on_the_machine():
    """Everything that a run could leave, as a comparable dictionary."""
    processes = set()
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            command = b" ".join(words).decode(errors="replace")
            if any(word in command for word in ("spotrun", "spottrain", "user-data.txt")):
                processes.add(command.strip())
    loops = pathlib.Path("/sys/block").glob("loop*/loop/backing_file")
    temporary = pathlib.Path(tempfile.gettempdir()).glob("spotsim*")
    return {
        "processes": sorted(processes),
        "mounts": pathlib.Path("/proc/self/mounts").read_text().splitlines(),
        "loop devices": sorted(p.parent.parent.name for p in loops),
        "namespaces": sorted(p.name for p in pathlib.Path("/run/netns").glob("*")),
        "temporary files": sorted(p.name for p in temporary),
    }
