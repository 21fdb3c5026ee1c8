#!/usr/bin/env python3
"""The house rules that a machine can check. Each rule is a function that yields "place: what".

tidy.py ROOT             checks the repository; exits with 1 if a rule is broken
tidy.py --self           checks the rules themselves: each must report a sample that breaks it
tidy.py --diagram ROOT   writes the diagram of docs/architecture.md again, from the table ALLOWED
"""
import pathlib
import re
import sys
import tempfile

SOURCE_ROOMS = ["base", "client", "api", "sim", "fakes", "report", "orchestrator", "policies",
                "trainer", "tests", "bench"]
CODE = {".cpp", ".h", ".cu", ".cuh", ".ts", ".py"}
PROSE = {".md", ".yaml", ".cmake", ".txt", ".sh"}

# Which rooms a room may include beside itself. A room's name also stands for the rooms in it.
# In the simulator: cli, sweep, run, scenario and guest, fakes, cloud, market, kernel, downwards.
GROUND = ["base"]
KERNEL = GROUND + ["sim/kernel"]
EVENTS = KERNEL + ["sim/events"]
MARKET = EVENTS + ["sim/market"]
TRACES = MARKET + ["sim/traces"]
CLOUD = MARKET + ["sim/vpc", "sim/cloud"]
OBJECTS = CLOUD + ["sim/objects"]
STORES = OBJECTS + ["sim/logs", "sim/autoscaling", "sim/iam", "sim/sagemaker", "sim/stacks",
                    "sim/elastigroup", "sim/messaging", "sim/monitoring"]
FAKES = STORES + ["api", "fakes"]
GUEST = FAKES + ["sim/guest/guest_host.h", "sim/guest/guest_fault.h"]
FIBER = GUEST + ["sim/guest/fiber", "sim/guest/disks", "client", "orchestrator", "policies"]
SCENARIO = TRACES + ["sim/vpc", "sim/cloud", "sim/sagemaker/knobs.h", "sim/elastigroup/knobs.h",
                     "sim/monitoring/cpu_model.h",
                     "sim/result", "sim/faults/plan.h", "sim/faults/kinds.h",
                     "sim/guest/fiber/trainer_model.h",
                     "fakes/web/url.h", "sim/iam/policy_document.h",
                     "sim/guest/network/network_knobs.h",
                     "sim/guest/container_settings.h",
                     "sim/guest/process/progress/progress_rule.h",
                     "sim/guest/process/progress/line_pattern.h",
                     "sim/guest/fiber/fiber_host.h",
                     "sim/guest/process/abilities.h", "policies", "sim/scenario"]
RUN = SCENARIO + ["sim/objects", "sim/iam", "fakes", "sim/guest", "sim/faults", "sim/run"]
SERVE = RUN + ["api", "sim/report", "report", "sim/serve"]
SWEEP = RUN + ["sim/laws", "sim/ticks", "sim/sweep"]
JOB = GROUND + ["client", "api", "policies", "orchestrator/seams", "orchestrator/aws",
                "orchestrator/job"]
LAYERS = ["trainer/data", "trainer/model"]
ENGINE = LAYERS + ["trainer/engine"]
ALLOWED = {
    "base": [],
    "client": GROUND,
    "client/production": GROUND + ["client"],
    "api": GROUND,
    "policies": GROUND,
    "policies/checkpoint": GROUND,
    "policies/acquisition": GROUND + ["policies/checkpoint"],
    "sim/kernel": GROUND,
    "sim/events": KERNEL,
    "sim/market": EVENTS,
    "sim/traces": MARKET,
    "sim/laws": TRACES,
    "sim/ticks": TRACES + ["policies"],
    "sim/vpc": KERNEL,
    "sim/cloud": MARKET + ["sim/vpc"],
    "sim/result": CLOUD,
    "sim/report": CLOUD + ["sim/result"],
    "report": [],
    "sim/objects": CLOUD,
    "sim/logs": CLOUD,
    "sim/autoscaling": CLOUD,
    "sim/iam": CLOUD,
    "sim/stacks": CLOUD + ["sim/iam/caller.h"],
    "sim/sagemaker": OBJECTS + ["sim/logs"],
    "sim/elastigroup": CLOUD,
    "sim/monitoring": CLOUD,
    "sim/messaging": OBJECTS + ["sim/logs", "sim/autoscaling", "sim/sagemaker"],
    "fakes/http": OBJECTS,
    "fakes/imds": FAKES,
    "fakes/web": EVENTS + ["fakes/http", "sim/objects"],
    "fakes/s3": OBJECTS + ["api", "fakes/web/byte_range.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "regions.h")],
    "fakes/autoscaling": STORES + ["api", "fakes/ec2"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "role_use.h")],
    "fakes/authorisation": STORES + [
        "api", "fakes/messaging.h", "fakes/cloudwatch/monitoring.h", "fakes/fis/tags.h",
        "fakes/cloudformation/account.h", "fakes/ec2/image_catalogue.h",
        "fakes/ec2/instance_profiles.h", "fakes/ec2/launch_parameters.h"] + [
        "fakes/s3/" + own for own in ("aws_chunked.h", "bucket_settings.h", "post_form.h",
                                      "wire.h")] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "regions.h",
                                    "iam_names.h")],
    "fakes/sts": STORES + ["api", "fakes/authorisation"] + [
        "fakes/" + own for own in ("service.h", "action.h", "callers.h")],
    "fakes/iam": STORES + ["api"] + [
        "fakes/" + own
        for own in ("service.h", "action.h", "backend.h", "callers.h", "key_page.h")],
    "fakes/logs": STORES + ["api"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h")],
    "fakes/cloudformation": STORES + ["api"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "direct.h",
                                    "role_use.h")],
    "fakes/cloudformation/types": STORES + ["api", "fakes/cloudformation", "fakes/backend.h"],
    "fakes/sagemaker": STORES + ["api"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "role_use.h")],
    "fakes/spotinst": STORES + ["api", "fakes"],
    "fakes/events": STORES + ["api", "fakes/messaging.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "key_page.h")],
    "fakes/cloudwatch": STORES + ["api", "fakes/messaging.h"] + [
        "fakes/" + own
        for own in ("service.h", "action.h", "backend.h", "region_names.h", "index_token.h")],
    "fakes/pricing": CLOUD + ["api", "fakes/region_names.h", "fakes/index_token.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h")],
    "fakes/fis": STORES + ["api", "fakes/ec2/launch_parameters.h", "fakes/ec2/network/vpc.h",
                           "fakes/cloudwatch/monitoring.h", "fakes/authorisation/permissions.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "front.h", "key_page.h",
                                   "role_use.h", "interference.h", "regions.h")],
    "fakes/sns": STORES + ["api", "fakes/messaging.h", "fakes/http/identity_signature.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "key_page.h")],
    "fakes/sqs": STORES + ["api", "fakes/messaging.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "backend.h", "key_page.h")],
    "fakes/ssm": CLOUD + ["api", "fakes/messaging.h", "fakes/ec2/image_catalogue.h"] + [
        "fakes/" + own for own in ("service.h", "action.h", "callers.h", "index_token.h")],
    "fakes/ecr": CLOUD + ["api", "fakes/service.h", "fakes/iam_names.h", "fakes/key_page.h"],
    "fakes/ec2": OBJECTS + ["api", "fakes/fis/impaired_volumes.h"] + [
        "fakes/" + own
        for own in ("service.h", "action.h", "backend.h", "regions.h", "region_names.h",
                    "iam_names.h", "index_token.h", "role_use.h")],
    "fakes": STORES + ["api"],
    "sim/guest/time": KERNEL,
    "sim/guest/sandbox": KERNEL + ["sim/guest/time", "sim/guest/container_settings.h"],
    "sim/guest/disks": CLOUD + ["sim/guest/time", "sim/guest/sandbox"],
    "sim/guest/names": GUEST + ["sim/guest/sandbox"],
    "sim/guest/network": EVENTS + ["sim/guest/time"],
    "sim/guest/services": KERNEL,
    "sim/guest/boot": KERNEL + ["sim/guest/services"],
    "sim/guest/warm": KERNEL + ["sim/guest/time"],
    "sim/guest/process": GUEST + ["sim/guest/time", "sim/guest/sandbox", "sim/guest/disks",
                                  "sim/guest/names", "sim/guest/network", "sim/guest/boot",
                                  "sim/guest/services", "sim/guest/warm"],
    "sim/guest/fiber": FIBER,
    "sim/guest": FAKES,
    "sim/faults": GUEST,
    "sim/scenario": SCENARIO,
    "sim/run": RUN,
    "sim/serve": ["sim/messaging/http_endpoints.h"] + SERVE,
    "sim/sweep": SWEEP,
    "sim/explore": RUN + ["sim/explore"],
    "sim/cli": SWEEP + SERVE + ["sim/explore", "sim/report", "report"],
    "orchestrator/seams": GROUND + ["client"],
    "orchestrator/aws": GROUND + ["client", "api", "orchestrator/seams"],
    "orchestrator/production": GROUND + ["client", "orchestrator/seams"],
    "orchestrator/job": JOB,
    "orchestrator/acquire": JOB,
    "orchestrator/instance": JOB + ["orchestrator/acquire"],
    "orchestrator": GROUND + ["client", "policies"],
    "trainer/data": GROUND + ["trainer/model/image_shape.h"],
    "trainer/model": GROUND + ["trainer/data"],
    "trainer/engine": GROUND + LAYERS,
    "trainer/eigen": GROUND + ENGINE,
    "trainer/cpu": GROUND + ENGINE + ["trainer/eigen"],  # its bits, its models in tests
    "trainer/cuda": GROUND + ENGINE,
    "trainer/bucket": GROUND + ["client"],
    "trainer/checkpoint": GROUND + ["client", "trainer/bucket"],
    "trainer/spot": GROUND + ["policies"],
    "trainer/gang": GROUND + ENGINE + ["base/files/folder_for_test.h"],
    "trainer": GROUND + ["client", "policies"],
    "tests/agreement": SWEEP,  # and no room of the product includes it
}
# The floor of these rooms: what stands in the room itself is for all rooms in it.
OWN_FLOOR = ["sim/guest", "orchestrator"]

# A real clock may be read where real programs are waited for, in production programs behind
# their Clock seam, and for the progress line.
REAL_CLOCK = re.compile(
    r"steady_clock|system_clock|high_resolution_clock|sleep_for|sleep_until|steady_timer"
    r"|system_timer|\b(clock_gettime|gettimeofday|usleep|nanosleep|clock_nanosleep)\s*\("
    r"|\btime\s*\(\s*(NULL|nullptr|0)\s*\)")
REAL_CLOCK_FREE = ["sim/kernel", "sim/market", "sim/traces", "sim/laws", "sim/ticks", "sim/cloud",
                   "fakes", "sim/scenario", "sim/run", "sim/result", "sim/guest", "sim/serve"]
# path pattern: why it may
REAL_CLOCK_SEAMS = {
    "sim/guest/time/real_clock.cpp": "the one place where spotsim waits for real programs",
    "sim/serve/wall_clock.cpp": "the one place where the served cloud meets real time",
    "sim/guest/time/calls/*": "functions named after the guests' calls that they answer",
    "sim/guest/time/test_program/*": "runs in a guest, where these calls are trapped",
}
UNORDERED = re.compile(r"std::unordered_(map|set|multimap|multiset)"
                       r"|std::(map|set)<\s*(const\s+)?\w[\w:]*\s*\*")
# The event log is an output. Code that reacts to events is a cloud::Observer.
LOG_LISTENER = re.compile(r"\blog\w*(\.|->)listeners\s*\(")
LOG_LISTENERS = ["sim/run/run.cpp", "sim/faults/engine.cpp", "sim/serve/record.cpp",
                 "sim/serve/served_cloud.cpp"]
DECLARED = re.compile(r"\s*(?:class|struct|enum class) (\w+)\b")
EMPTY_NAMES = {"Place", "Row", "Told", "Weather", "Foresight", "Opening", "Telling", "Ears",
               "Hands", "Desk", "Passage", "Doing", "Ways"}
# The namespace of the files in a folder and below it, where it is not the folder's path.
NAMESPACES = {
    "base": "base", "report": "page", "policies": "policies", "client": "client", "api": "api",
    "orchestrator": "spotrun", "trainer": "spottrain", "tests/agreement": "sim::agreement",
    "sim/kernel": "sim", "sim/events": "sim", "sim/cloud": "sim::cloud", "sim/guest": "sim::guest",
    "sim/result": "sim::result", "sim/sweep": "sim::sweep", "sim/cli": "sim::cli",
    "fakes/http": "fakes", "fakes/imds": "fakes", "fakes/web": "fakes", "fakes/ecr": "fakes",
    "fakes/ssm": "fakes", "fakes/sts": "fakes", "fakes/ec2": "fakes::ec2",
    "fakes/cloudformation": "fakes::cloudformation",
}
OWN_NAMESPACES = {"sim", "fakes", *(name.split("::")[0] for name in NAMESPACES.values())}
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{\n(.*?)^\}", re.M | re.S)
FORWARD = re.compile(r"\s*(//.*|(class|struct|enum class) [\w:]+( : [\w:]+)?;.*)?$")
LARGEST_FOLDER = 60

# A key of the scenario format: asked for by name, or a row of a table of keys.
KEY = re.compile(r'(?:require|take)\w*\(\s*"([a-z_0-9]+)"|^\s*\{"([a-z_0-9]+)", ')


def files(root, rooms, suffixes):
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def room_of(relative):
    """The innermost room of the table that a file is in; None for a file of no such room."""
    rooms = [str(folder) for folder in relative.parents if str(folder) in ALLOWED]
    return rooms[0] if rooms else None


def within(path, room):
    return path == room or path.startswith(room + "/")


def may_include(room, path):
    if any(within(path, allowed) for allowed in ALLOWED[room] + [room]):
        return True
    floors = [floor for floor in OWN_FLOOR if within(room, floor)]
    return str(pathlib.PurePath(path).parent) in floors


def is_test(path):
    return path.stem.endswith("_test") or "tests" in path.parts


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


def log_is_an_output(root):
    for path in files(root, ["sim", "fakes"], {".cpp", ".h"}):
        relative = path.relative_to(root)
        if is_test(path) or path.stem.endswith("_for_test") or str(relative) in LOG_LISTENERS:
            continue
        for number, line in lines(path):
            if LOG_LISTENER.search(without_comment(line)):
                yield f"{relative}:{number}: listens to the event log: be a cloud::Observer"


def include_direction(root):
    for path in files(root, SOURCE_ROOMS, {".cpp", ".h", ".cu", ".cuh"}):
        relative = path.relative_to(root)
        room = room_of(relative)
        if room is None or path.stem.endswith("_test"):
            continue
        for number, line in lines(path):
            found = re.match(r'\s*#include "([^"]+)"', line)
            if found and not may_include(room, found.group(1)):
                yield f"{relative}:{number}: {room} may not include {found.group(1)}"


def house(room):
    """The room of the diagram: sim's rooms are its own, any other room is one with those in it."""
    parts = pathlib.PurePath(room).parts
    return "/".join(parts[:2]) if parts[0] == "sim" else parts[0]


def rooms_below():
    """Each room of the diagram, and the rooms that it may include."""
    below = {house(room): set() for room in ALLOWED}
    for room, allowed in ALLOWED.items():
        below[house(room)] |= {house(path) for path in allowed} - {house(room)}
    return below


def storeys():
    """The rooms of each storey: a room includes only rooms of the storeys below its own."""
    below = rooms_below()

    def storey(room, above=()):
        if room in above:
            sys.exit(f"ALLOWED has a circle: {' -> '.join([*above, room])}")
        return 1 + max((storey(other, (*above, room)) for other in below[room]), default=-1)

    found = {}
    for room in sorted(below):
        found.setdefault(storey(room), []).append(room)
    return found


def diagram():
    """A line for each storey, the highest first."""
    return [f" {number:2}  {'   '.join(rooms)}"
            for number, rooms in sorted(storeys().items(), reverse=True)]


DIAGRAM = ("<!-- rooms: made by tests/tidy/tidy.py --diagram -->\n```\n",
           "\n```\n<!-- end of rooms -->")


def with_diagram(text):
    begin, end = (text.index(mark) for mark in DIAGRAM)
    return text[:begin] + DIAGRAM[0] + "\n".join(diagram()) + text[end:]


def diagram_is_current(root):
    """docs/architecture.md shows the rooms as the table ALLOWED has them."""
    page = root / "docs" / "architecture.md"
    text = page.read_text() if page.exists() else ""
    if text and (not all(mark in text for mark in DIAGRAM) or with_diagram(text) != text):
        yield f"{page.relative_to(root)}: not the rooms of tidy's ALLOWED: run tidy.py --diagram ."


def parts_are_private(root):
    """Only files of the room around a folder `parts` include the files in it."""
    for path in files(root, SOURCE_ROOMS, {".cpp", ".h", ".cu", ".cuh"}):
        relative = path.relative_to(root)
        for number, line in lines(path):
            found = re.match(r'\s*#include "(.+)/parts/[^"]+"', line)
            if found and not within(str(relative), found.group(1)):
                yield f"{relative}:{number}: includes parts of {found.group(1)}"


def telling_names(root):
    """No type has a name that many things could have, or a metaphor that the field does not use."""
    for path in files(root, SOURCE_ROOMS, {".cpp", ".h", ".cu", ".cuh"}):
        for number, line in lines(path):
            found = DECLARED.match(line)
            if found and found.group(1) in EMPTY_NAMES:
                yield (f"{path.relative_to(root)}:{number}: {found.group(1)} does not say what is "
                       "inside: use the field's word for it")


def namespaces_follow_folders(root):
    """A file of folder a/b declares namespace a::b, or the one that NAMESPACES has for the folder.

    Namespaces within it are free. A .cpp or a test's header may also define what a header of the
    room around its own declares."""
    for path in files(root, SOURCE_ROOMS, {".cpp", ".h", ".cu", ".cuh"}):
        relative = path.relative_to(root)
        expected = namespace_of(relative.parent)
        text = path.read_text(encoding="utf-8", errors="replace")
        for found in NAMESPACE.finditer(text):
            name, body = found.groups()
            only_forward = all(FORWARD.match(line) for line in body.splitlines())
            if name.split("::")[0] not in OWN_NAMESPACES or only_forward:
                continue
            around = expected.startswith(name + "::") and name != "sim" and (
                path.suffix == ".cpp" or path.stem.endswith("_for_test"))
            if not around and not (name + "::").startswith(expected + "::"):
                number = text.count("\n", 0, found.start()) + 1
                yield f"{relative}:{number}: namespace {name} in a folder of {expected}"


def namespace_of(folder):
    for outer in (folder, *folder.parents):
        if str(outer) in NAMESPACES:
            return NAMESPACES[str(outer)]
    return "::".join(folder.parts)


def no_large_folder(root):
    """A folder of more than 60 sources is hard to read: group them by subject."""
    for room in SOURCE_ROOMS:
        for folder in [root / room, *(root / room).rglob("*/")]:
            count = sum(path.suffix in CODE and path.is_file() for path in folder.glob("*"))
            if count > LARGEST_FOLDER:
                yield f"{folder.relative_to(root)}: {count} sources, at most {LARGEST_FOLDER}"


def scenarios_registered(root):
    listing = root / "scenarios" / "CMakeLists.txt"
    registered = listing.read_text() if listing.exists() else ""
    for path in sorted((root / "scenarios").glob("*.yaml")):
        if not re.search(rf"\b{re.escape(path.name)}\b", registered):
            yield f"{path.relative_to(root)}: not registered in scenarios/CMakeLists.txt"


def sizes(root):
    rooms = SOURCE_ROOMS + ["scenarios", "docs", "cmake"]
    for path in files(root, rooms, CODE | PROSE):
        count = 0
        for count, line in lines(path):
            if path.suffix in CODE and len(line) > 100:
                yield f"{path.relative_to(root)}:{count}: {len(line)} columns, at most 100"
        if count > 800:
            yield f"{path.relative_to(root)}: {count} lines, at most 800"


def scenario_keys_documented(root):
    """Every key of the scenario parser stands in backquotes in docs/scenario.md or faults.md."""
    pages = [root / "docs" / page for page in ("scenario.md", "faults.md")]
    text = "".join(page.read_text() for page in pages if page.exists())
    documented = set(re.findall(r"`([a-z_0-9]+)`", text))
    for path in files(root, ["sim/scenario"], {".cpp", ".h"}):
        if is_test(path):
            continue
        for number, line in lines(path):
            for key in (asked or row for asked, row in KEY.findall(line)):
                if key not in documented:
                    yield (f"{path.relative_to(root)}:{number}: `{key}` is neither in "
                           "docs/scenario.md nor in docs/faults.md")


def pages_indexed(root):
    """docs/README.md leads to every page. That links lead somewhere is tests/docs/links.py's."""
    docs = root / "docs"
    index = (docs / "README.md").read_text() if (docs / "README.md").exists() else ""
    for page in sorted(docs.rglob("*.md")):
        if page.name != "README.md" and f"({page.relative_to(docs)}" not in index:
            yield f"{page.relative_to(root)}: not in docs/README.md"


def runs_from_a_clone(root):
    """No scenario, ready sweep or command on a page needs a folder beside the repository."""
    outside = re.compile(r"SPOTSIM_SHARED|\.\./shared")
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    for path in sorted([*(root / "scenarios").rglob("*.yaml"), *pages]):
        fenced = False
        for number, line in lines(path):
            fenced ^= path.suffix == ".md" and line.startswith("```")
            command = fenced or path.suffix == ".yaml" or line.startswith("    ")
            if command and outside.search(line):
                yield f"{path.relative_to(root)}:{number}: names a folder outside the repository"


RULES = [real_clocks, hash_order, log_is_an_output, include_direction, diagram_is_current,
         parts_are_private, telling_names,
         namespaces_follow_folders, no_large_folder, scenarios_registered, sizes,
         scenario_keys_documented, pages_indexed, runs_from_a_clone]

BROKEN = {
    real_clocks: ("sim/cloud/a.cpp", "auto t = std::chrono::steady_clock::now();\n"),
    hash_order: ("sim/cloud/a.h", "std::unordered_map<int, int> m;\n"),
    log_is_an_output: ("sim/run/a.cpp", "log_.listeners().on_all(hear);\n"),
    include_direction: ("sim/kernel/a.h", '#include "sim/cloud/cloud.h"\n'),
    diagram_is_current: ("docs/architecture.md", "Rooms.\n"),
    parts_are_private: ("sim/run/a.cpp", '#include "sim/cloud/parts/volumes.h"\n'),
    telling_names: ("sim/run/a.h", "struct Place {\n"),
    namespaces_follow_folders: ("sim/traces/a.h", "namespace sim::market {\nint a();\n}\n"),
    no_large_folder: ("base/{}.h", ""),
    scenarios_registered: ("scenarios/a.yaml", "name: a\n"),
    sizes: ("fakes/a.cpp", "// " + "x" * 120 + "\n"),
    scenario_keys_documented: ("sim/scenario/scenario.cpp", 'fields.require("speed");\n'),
    pages_indexed: ("docs/lonely.md", "Nobody comes here.\n"),
    runs_from_a_clone: ("docs/a.md", "    SPOTSIM_SHARED=/data spotsim sweep a.yaml\n"),
}


def self_check():
    for rule, (name, text) in BROKEN.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "scenarios").mkdir()
            if list(rule(root)):
                sys.exit(f"{rule.__name__} fires on an empty tree")
            many = LARGEST_FOLDER + 1 if "{}" in name else 1
            for path in (root / name.format(number) for number in range(many)):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            if not list(rule(root)):
                sys.exit(f"{rule.__name__} does not fire on {text!r}")
    print(f"{len(BROKEN)} rules fire on what breaks them")


def main():
    if sys.argv[1:] == ["--self"]:
        return self_check()
    if sys.argv[1] == "--diagram":
        page = pathlib.Path(sys.argv[2], "docs", "architecture.md")
        return page.write_text(with_diagram(page.read_text()))
    root = pathlib.Path(sys.argv[1])
    broken = [f"{rule.__name__}: {what}" for rule in RULES for what in rule(root)]
    print("\n".join(broken) or f"{len(RULES)} rules hold")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
