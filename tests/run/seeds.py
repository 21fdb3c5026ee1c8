"""seeds.py SPOTSIM FIBER-SCENARIO PROCESS-SCENARIO: `spotsim run --seeds` and a sweep with process
guests give the same bytes, whatever number of runs is made at a time."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from support import fail, need_lockstep

SWEEP = """
name: own
scenario: {scenario}
guest: process
vary: {{limit: [90m, 2h]}}
seeds: 1-2
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def seeds_beside_each_other(spotsim, scenario, seeds, *options):
    """The same table and the same files with one and with two runs at a time."""
    said = []
    for jobs in "12":
        with tempfile.TemporaryDirectory(prefix="seeds-") as folder:
            out = pathlib.Path(folder, "out")
            table, messages = run(spotsim, "run", scenario, "--seeds", seeds, "--jobs", jobs,
                                  "--out", out, *options)
            if not re.search(rf"\d runs, {jobs} at a time\n(?:.*\n)*.*: about \d+ s more",
                             messages):
                fail(f"expected the number of runs, then an estimate, in: {messages}")
            # Commands and messages name the folder.
            said.append((table.replace(folder, ""), files_of(out)))
    if said[0][0] != said[1][0]:
        fail(f"the tables differ:\n{said[0][0]}\n{said[1][0]}")
    if said[0][1] != said[1][1]:
        fail(f"the files differ: {said[0][1].keys()}")
    if f"{len(said[0][1])}" == "0" or "fingerprint" not in said[0][0]:
        fail(f"no table or no files:\n{said[0][0]}")
    return said[0]


def as_single_runs(spotsim, scenario, seed, files, name):
    with tempfile.TemporaryDirectory(prefix="seeds-") as out:
        run(spotsim, "run", scenario, "--seed", str(seed), "--out", out, "--quiet")
        log = pathlib.Path(out, "events.jsonl").read_bytes()
        if log != files[pathlib.Path(f"{name}-seed{seed}/events.jsonl")]:
            fail(f"{scenario}: the log of seed {seed} differs from that of a single run")


def sweep_of_programs(spotsim, scenario):
    said = []
    for threads in "12":
        with tempfile.TemporaryDirectory(prefix="seeds-") as folder:
            file, out = pathlib.Path(folder, "own.yaml"), pathlib.Path(folder, "out")
            file.write_text(SWEEP.format(scenario=pathlib.Path(scenario).resolve()))
            table, messages = run(spotsim, "sweep", file, "--threads", threads, "--out", out)
            if f"own: 4 runs, {threads} at a time" not in messages:
                fail(f"expected the number of runs in: {messages}")
            said.append((table, (out / "runs.csv").read_bytes()))
    if said[0] != said[1]:
        fail(f"the sweeps differ:\n{said[0]}\n{said[1]}")
    if said[0][1].count(b"completed") != 4:
        fail(f"expected four completed runs:\n{said[0][1].decode()}")


def main():
    need_lockstep()
    spotsim, fibers, programs = sys.argv[1:]
    seeds_beside_each_other(spotsim, fibers, "1-3", "--guest", "fiber")
    _, files = seeds_beside_each_other(spotsim, programs, "1-2,7")
    as_single_runs(spotsim, programs, 7, files, pathlib.Path(programs).stem)
    with tempfile.TemporaryDirectory(prefix="seeds-") as out:
        said, _ = run(spotsim, "run", programs, "--seeds", "1-2", "--out", out, "--json")
        if [one["seed"] for one in json.loads(said)["runs"]] != [1, 2]:
            fail(said)
    sweep_of_programs(spotsim, programs)
    print("runs side by side give what single runs give")


main()
