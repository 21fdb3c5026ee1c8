#!/usr/bin/env python3
"""The benchmarks of two versions of spotsim, in one table.

    bench/compare.py BEFORE                      a commit, compared with what build/ has
    bench/compare.py BEFORE --after COMMIT       two commits
    bench/compare.py BEFORE --only fiber,sweep   some benchmarks; --list prints all

A commit is checked out and built beside the repository's files, in build/compare/COMMIT, which
takes half an hour the first time. BEFORE may also be a build folder. Both versions take turns, so
that other load on the machine affects both alike. A figure is the best of all rounds. Benchmarks
that one of the versions does not have, and those whose programs are missing, are named below the
table.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBER = r"([\d.]+)"
FIGURE = r"(?P<figure>[\d.]+)"


def of_google(output):
    """Processor time of each case of a program made with Google Benchmark."""
    return {f"{case['name']} [{case['time_unit']}]": case["cpu_time"]
            for case in json.loads(output)["benchmarks"] if case.get("run_type") != "aggregate"}


def of_lines(pattern, unit):
    """A parser of lines: the pattern has the groups `name` and `figure`."""
    def read(output):
        return {f"{found['name'].strip()} [{unit}]": float(found["figure"])
                for found in re.finditer(pattern, output, re.M)}
    return read


def of_checkpoints(output):
    figures = {}
    for name, *values in re.findall(r"^(\S.{14}) +" + r" +".join([NUMBER] * 8) + "$", output, re.M):
        for what, value in (("stall", values[2]), ("write", values[5]), ("restore", values[7])):
            figures[f"{name.strip()}, {what} [ms]"] = float(value)
    return figures


def of_served(output):
    """Processor time of each request of bench/serve_bench.py."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in output.splitlines() if line.startswith("| ")]
    return {f"{row[0]}, {row[1]} clients [µs]": float(row[7].replace(",", ""))
            for row in rows[1:]}


class Benchmark:
    """Its name, and how it is run: {bin} and {source} are a version's, {folder} an empty folder."""

    def __init__(self, name, command, read):
        self.name, self.command, self.read = name, command, read

    def figures(self, version, folder):
        words = [word.format(bin=version.programs, source=version.source, folder=folder)
                 for word in self.command]
        done = subprocess.run(words, capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} failed:\n{done.stderr[-2000:]}")
        return self.read(done.stdout)

    def missing(self, version):
        """The file that a version lacks; None where all are there."""
        for word in self.command:
            path = word.format(bin=version.programs, source=version.source, folder="")
            if word.startswith(("{bin}", "{source}")) and not pathlib.Path(path).exists():
                return path
        return None


def google(name):
    return Benchmark(name, ["{bin}/" + f"{name}_bench", "--benchmark_format=json"], of_google)


BENCHMARKS = [
    *map(google, ("event_queue", "batch_loader", "fiber", "explore", "sweep", "interruption")),
    Benchmark("checkpoint", ["{bin}/checkpoint_bench", "{folder}", "9"], of_checkpoints),
    Benchmark("trace", ["{bin}/trace_bench", "{folder}", "100000"],
              of_lines(rf"^(?P<name>\S.*?) +{FIGURE} s ", "s")),
    Benchmark("trainer_cpu", ["{bin}/trainer_cpu_bench", "resnet20", "--threads", "1"],
              lambda output: {"resnet20 [µs an image]": 1e6 / float(output)}),
    Benchmark("serve", ["python3", "{source}/bench/serve_bench.py", "{bin}/spotsim", "1"],
              of_served),
    Benchmark("guests", ["python3", "{source}/bench/sleeping_guests.py", "{bin}/spotsim", "10"],
              of_lines(rf"^ *(?P<name>\d+) +\d+ +[\d.]+ +{FIGURE}", "guests, s of processor")),
    Benchmark("instance_start",
              ["python3", "{source}/bench/instance_start.py", "{bin}/spotsim", "--rounds", "1"],
              of_lines(rf"^(?P<name>start and stop of an instance): {FIGURE} ms", "ms")),
]


class Version:
    def __init__(self, name, source, build):
        self.name, self.source, self.programs = name, source, build / "bin"


def version_of(name):
    if (pathlib.Path(name) / "bin").is_dir():
        build = pathlib.Path(name).resolve()
        return Version(name, build.parent, build)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", f"{name}^{{commit}}"],
                            capture_output=True, text=True)
    if commit.returncode != 0:
        sys.exit(f"compare.py: {name} is neither a build folder nor a commit:\n{commit.stderr}")
    source = ROOT / "build" / "compare" / commit.stdout.strip()
    if not source.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", source, name], check=True)
    build = source / "build"
    subprocess.run(["cmake", "--preset", "release", "-DSPOTSIM_CUDA=OFF"], cwd=source, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "programs", "bench"], check=True,
                   stdout=subprocess.DEVNULL)
    return Version(commit.stdout.strip(), source, build)


def best(benchmark, versions, rounds):
    """The least time of each case, for each version."""
    found = [{} for _ in versions]
    for _ in range(rounds):
        for version, figures in zip(versions, found):
            with tempfile.TemporaryDirectory() as folder:
                for case, figure in benchmark.figures(version, folder).items():
                    figures[case] = min(figure, figures.get(case, figure))
    return found


def shown(figure):
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", nargs="?", help="a commit or a build folder")
    parser.add_argument("--after", default=str(ROOT / "build"), help="the same; build/")
    parser.add_argument("--only", help="names of benchmarks, with commas between")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    if given.list:
        return print("\n".join(" ".join([b.name + ":", *b.command]) for b in BENCHMARKS))
    if not given.before:
        parser.error("name a commit or a build folder to compare with")
    names = given.only.split(",") if given.only else [b.name for b in BENCHMARKS]
    if unknown := set(names) - {b.name for b in BENCHMARKS}:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}: --list prints all")
    versions = [version_of(given.before), version_of(given.after)]
    left_out = []
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, best of {given.rounds} rounds\n")
    print(f"| benchmark | {versions[0].name} | {versions[1].name} | after ÷ before |")
    print("|---|---|---|---|")
    for benchmark in (b for b in BENCHMARKS if b.name in names):
        missing = [file for file in map(benchmark.missing, versions) if file]
        if benchmark.name == "serve" and not shutil.which("wrk"):
            missing.append("wrk")
        if missing:
            left_out.append(f"{benchmark.name}: no {', '.join(missing)}")
            continue
        before, after = best(benchmark, versions, given.rounds)
        for case in (case for case in before if case in after):
            print(f"| {benchmark.name}: {case} | {shown(before[case])} | {shown(after[case])} | "
                  f"{after[case] / before[case]:.2f} |", flush=True)
        left_out += [f"{benchmark.name}: {case} is in one version only"
                     for case in sorted(before.keys() ^ after.keys())]
    if left_out:
        print("\nNot compared:\n" + "\n".join(f"- {line}" for line in left_out))


if __name__ == "__main__":
    main()
