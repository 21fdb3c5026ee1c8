#!/usr/bin/env python3
"""The house rules that a machine can check: one function a rule, each yields "place: what".

tidy.py ROOT       checks the repository, exit 1 when a rule is broken
tidy.py --self     checks the rules themselves: each must fire on a sample that breaks it
"""
import pathlib
import re
import sys
import tempfile

SOURCE_ROOMS = ["sim", "fakes", "orchestrator", "policies", "trainer", "tests", "bench"]
CODE = {".cpp", ".h", ".cu", ".cuh", ".ts", ".py"}
PROSE = {".md", ".yaml", ".cmake", ".txt", ".sh"}

# Which rooms a room may include, beyond itself. The order is the design's:
# cli -> run -> guest, faults -> fakes -> cloud -> market -> kernel.
SIM_ORDER = ["sim/kernel", "sim/market", "sim/sweep", "sim/cloud", "fakes", "sim/guest", "sim/run",
             "sim/cli"]
ALLOWED = {room: SIM_ORDER[:i] for i, room in enumerate(SIM_ORDER)}
for room in SIM_ORDER[SIM_ORDER.index("sim/sweep"):]:
    ALLOWED[room] = ALLOWED[room] + ["policies"]
ALLOWED["policies"] = []
ALLOWED["sim/guest"] += ["orchestrator", "policies"]  # which fiber guests host
ALLOWED["orchestrator"] = ["policies"]
ALLOWED["trainer"] = ["policies"]

# A real clock may be read where real programs are waited for, in production programs behind
# their Clock seam, and for the progress line.
REAL_CLOCK = re.compile(
    r"steady_clock|system_clock|high_resolution_clock|sleep_for|sleep_until|steady_timer"
    r"|system_timer|\b(clock_gettime|gettimeofday|usleep|nanosleep|clock_nanosleep)\s*\("
    r"|\btime\s*\(\s*(NULL|nullptr|0)\s*\)")
REAL_CLOCK_FREE = ["sim/kernel", "sim/market", "sim/cloud", "fakes", "sim/run", "sim/guest"]
# path pattern: why it may
REAL_CLOCK_SEAMS = {
    "sim/guest/real_clock.cpp": "the one place where spotsim waits for real programs",
    "sim/guest/*_calls.*": "functions named after the guests' calls that they answer",
    "sim/guest/test_program/*": "runs in a guest, where these calls are trapped",
}
UNORDERED = re.compile(r"std::unordered_(map|set|multimap|multiset)"
                       r"|std::(map|set)<\s*(const\s+)?\w[\w:]*\s*\*")
# A key of the scenario format: asked for by name, or a row of a table of keys.
KEY = re.compile(r'(?:require|take)\w*\(\s*"([a-z_0-9]+)"|^\s*\{"([a-z_0-9]+)", ')


def files(root, rooms, suffixes):
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def room_of(relative):
    parts = relative.parts
    return "/".join(parts[:2]) if parts[0] == "sim" else parts[0]


def is_test(path):
    return path.stem.endswith("_test") or "_test_" in path.stem or "tests" in path.parts


def lines(path):
    return enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)


def without_comment(line):
    return line.split("//", 1)[0]


def real_clocks(root):
    for path in files(root, REAL_CLOCK_FREE, {".cpp", ".h"}):
        relative = path.relative_to(root)
        if is_test(path) or any(relative.match(seam) for seam in REAL_CLOCK_SEAMS):
            continue
        for number, line in lines(path):
            if REAL_CLOCK.search(without_comment(line)):
                yield f"{relative}:{number}: a real clock or timer outside the seams"


def hash_order(root):
    for path in files(root, ["sim", "fakes"], {".cpp", ".h"}):
        if is_test(path):
            continue
        for number, line in lines(path):
            if UNORDERED.search(without_comment(line)):
                yield (f"{path.relative_to(root)}:{number}: an unordered container or pointer "
                       "keys: their order differs from run to run")


def include_direction(root):
    for path in files(root, SOURCE_ROOMS, {".cpp", ".h", ".cu", ".cuh"}):
        relative = path.relative_to(root)
        room = room_of(relative)
        if room not in ALLOWED:
            continue
        for number, line in lines(path):
            found = re.match(r'\s*#include "([^"]+)"', line)
            if not found:
                continue
            other = room_of(pathlib.PurePath(found.group(1)))
            if other != room and other not in ALLOWED[room]:
                yield f"{relative}:{number}: {room} may not include {other}"


def scenarios_registered(root):
    listing = root / "scenarios" / "CMakeLists.txt"
    registered = listing.read_text() if listing.exists() else ""
    for path in sorted((root / "scenarios").glob("*.yaml")):
        if not re.search(rf"\b{re.escape(path.name)}\b", registered):
            yield f"{path.relative_to(root)}: not registered in scenarios/CMakeLists.txt"


def sizes(root):
    rooms = SOURCE_ROOMS + ["scenarios", "docs", "cmake", "report"]
    for path in files(root, rooms, CODE | PROSE):
        count = 0
        for count, line in lines(path):
            if path.suffix in CODE and len(line) > 100:
                yield f"{path.relative_to(root)}:{count}: {len(line)} columns, at most 100"
        if count > 800:
            yield f"{path.relative_to(root)}: {count} lines, at most 800"


def scenario_keys_documented(root):
    """Every key that the scenario parser takes stands in backquotes in docs/scenario.md."""
    reference = root / "docs" / "scenario.md"
    text = reference.read_text() if reference.exists() else ""
    documented = set(re.findall(r"`([a-z_0-9]+)`", text))
    for path in files(root, ["sim/run"], {".cpp", ".h"}):
        if not path.stem.startswith("scenario") or is_test(path):
            continue
        for number, line in lines(path):
            for key in (asked or row for asked, row in KEY.findall(line)):
                if key not in documented:
                    yield f"{path.relative_to(root)}:{number}: `{key}` is not in docs/scenario.md"


RULES = [real_clocks, hash_order, include_direction, scenarios_registered, sizes,
         scenario_keys_documented]

BROKEN = {
    real_clocks: ("sim/cloud/a.cpp", "auto t = std::chrono::steady_clock::now();\n"),
    hash_order: ("sim/cloud/a.h", "std::unordered_map<int, int> m;\n"),
    include_direction: ("sim/kernel/a.h", '#include "sim/cloud/cloud.h"\n'),
    scenarios_registered: ("scenarios/a.yaml", "name: a\n"),
    sizes: ("fakes/a.cpp", "// " + "x" * 120 + "\n"),
    scenario_keys_documented: ("sim/run/scenario.cpp", 'fields.require("speed");\n'),
}


def self_check():
    for rule, (name, text) in BROKEN.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "scenarios").mkdir()
            if list(rule(root)):
                sys.exit(f"{rule.__name__} fires on an empty tree")
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if not list(rule(root)):
                sys.exit(f"{rule.__name__} does not fire on {text!r}")
    print(f"{len(BROKEN)} rules fire on what breaks them")


def main():
    if sys.argv[1:] == ["--self"]:
        return self_check()
    root = pathlib.Path(sys.argv[1])
    broken = [f"{rule.__name__}: {what}" for rule in RULES for what in rule(root)]
    print("\n".join(broken) or f"{len(RULES)} rules hold")
    sys.exit(1 if broken else 0)


main()
