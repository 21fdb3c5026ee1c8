#!/usr/bin/env python3
"""Checks that `spotsim explore` finds deliberate bugs.

mutations.py MUTATED SPOTSIM SPOTTRAIN SCENARIOS PATCH OUT
    runs the search that the patch names; exits with 0 if it finds the broken invariant. MUTATED
    is the spotsim with the bugs, SPOTSIM the one without, SPOTTRAIN the trainer with the bugs
mutations.py MUTATED SPOTSIM SPOTTRAIN SCENARIOS none OUT
    the same without a bug: nothing may be found
mutations.py --table OUT    prints the table of docs/notes/known-bugs.md from the findings in OUT
mutations.py --page PAGE    exits with 1 if that page lacks the row of a patch

A patch begins with a sentence about the bug, the invariant that it breaks, and the arguments of the
search:

    Breaks: nothing-left
    Found by: explore az-hop.yaml --faults 1
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SPOTTRAIN = "spottrain.yaml"  # with real guests, and the mutated trainer among their programs
SKIP = 77


class Mutation:
    def __init__(self, patch):
        self.name = patch.stem
        head = patch.read_text().split("\n--- ", 1)[0].split("\n")
        self.does = head[0]
        keys = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        self.breaks = keys["Breaks"]
        self.search = shlex.split(keys["Found by"].removeprefix("explore "))


class Programs:
    def __init__(self, mutated, spotsim, spottrain, scenarios):
        self.mutated, self.spotsim, self.spottrain = mutated, spotsim, spottrain
        self.scenarios = scenarios

    def explore(self, mutation, search, out):
        """Runs a search, and returns its runs in their order."""
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        program, scenario = self.mutated, self.scenarios / search[0]
        with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
            if search[0] == SPOTTRAIN:
                program = self.with_trainer(mutation, pathlib.Path(folder))
                scenario = FOLDER / "spottrain" / SPOTTRAIN
            made = subprocess.run(
                [program, "explore", scenario, "--singles", "likely", *search[1:], "--quiet",
                 "--out", out],
                env=os.environ | {"SPOTSIM_MUTATION": mutation}, capture_output=True, text=True)
        if made.returncode not in (0, 1):
            sys.exit(f"{mutation}: explore exited with {made.returncode}:\n{made.stderr}")
        return runs_of(out)

    def with_trainer(self, mutation, folder):
        """Makes a folder with spotsim and the spottrain that has this bug. Guests see this folder,
        but no environment variables."""
        (folder / "mutated").mkdir()
        shutil.copy(self.spottrain, folder / "mutated" / "spottrain")
        for program in (self.spotsim, self.spotsim.parent / "spotrun"):
            shutil.copy(program, folder)
        wrapper = folder / "spottrain"
        wrapper.write_text(f"#!/bin/sh\nSPOTSIM_MUTATION={mutation} "
                           'exec "${0%/*}/mutated/spottrain" "$@"\n')
        wrapper.chmod(0o755)
        return folder / "spotsim"


def runs_of(out):
    lines = (out / "runs.jsonl").read_text().splitlines()[1:]  # the first says which search it is
    return [json.loads(line) for line in lines]


def found(mutation, runs):
    """The first run that breaks the expected invariant, and the number of runs up to it."""
    for number, run in enumerate(runs, 1):
        for breach in run["breaches"]:
            if breach["id"] == mutation.breaks:
                return number, run["plan"], breach["found"]
    return None


def searches_of_all():
    """All searches of patches. Of searches that differ only in --runs it returns the longest one,
    which begins with the runs of the others."""
    longest = {}
    for patch in FOLDER.glob("*.patch"):
        search = Mutation(patch).search
        at = search.index("--runs") if "--runs" in search else len(search)
        same = (*search[:at], *search[at + 2:])
        runs = int(search[at + 1]) if at < len(search) else float("inf")
        if same not in longest or longest[same][0] < runs:
            longest[same] = (runs, search)
    return sorted(search for _, search in longest.values())


def finds_nothing(programs, out):
    broken = 0
    for search in searches_of_all():
        if search[0] == SPOTTRAIN and os.geteuid() != 0:
            print(f"{shlex.join(search)}: left out, not root")
            continue
        runs = programs.explore("none", search, out)
        failed = [run for run in runs if run["breaches"]]
        print(f"{shlex.join(search)}: {len(runs)} runs, {len(failed)} break something")
        broken += len(failed)
    return 1 if broken else 0


def fault_in_words(plan):
    return " and ".join(f"`{fault}`" for fault in plan) or "none"


def table(out):
    rows = ["| bug | breaks | with the fault | runs |", "|---|---|---|---|"]
    for patch in sorted(FOLDER.glob("*.patch")):
        mutation = Mutation(patch)
        first = found(mutation, runs_of(out / mutation.name))
        number, plan, _ = first if first else ("–", ["not found"], "")
        rows.append(f"| **{mutation.name}**: {mutation.does} | `{mutation.breaks}` "
                    f"| {fault_in_words(plan)} | {number} |")
    return "\n".join(rows)


def lacks(page):
    """The patches whose row is missing or different in the page's table."""
    text = page.read_text()
    for patch in sorted(FOLDER.glob("*.patch")):
        mutation = Mutation(patch)
        if f"| **{mutation.name}**: {mutation.does} | `{mutation.breaks}` |" not in text:
            yield mutation.name


def main(arguments):
    if arguments[0] == "--table":
        print(table(pathlib.Path(arguments[1])))
        return 0
    if arguments[0] == "--page":
        missing = list(lacks(pathlib.Path(arguments[1])))
        print("\n".join(f"{arguments[1]} has no row of {name}" for name in missing))
        return 1 if missing else 0
    *given, patch, out = map(pathlib.Path, arguments)
    programs = Programs(*given)
    if patch.name == "none":
        return finds_nothing(programs, out)
    mutation = Mutation(patch)
    if mutation.search[0] == SPOTTRAIN and os.geteuid() != 0:
        print("skipped: not root: what a power cut leaves on a disk is seen at level root only")
        return SKIP
    runs = programs.explore(mutation.name, mutation.search, out)
    first = found(mutation, runs)
    if not first:
        ids = sorted({breach["id"] for run in runs for breach in run["breaches"]})
        print(f"{len(runs)} runs, none breaks {mutation.breaks}; broken were: {', '.join(ids)}")
        return 1
    number, plan, what = first
    print(f"run {number} breaks {mutation.breaks}: {what}\nfault: {fault_in_words(plan)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
