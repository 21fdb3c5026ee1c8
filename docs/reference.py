#!/usr/bin/env python3
"""Writes the parts of the documentation that the sources state.

    reference.py [--programs FOLDER]            writes them into the pages
    reference.py [--programs FOLDER] --check    exits with 1 where a page or a schema does not fit

A page marks each part:

    <!-- pool-rules: made by docs/reference.py -->          policies/acquisition/kinds.cpp
    <!-- ec2-actions: made by docs/reference.py -->         api/actions/ec2.txt
    <!-- tutorial-bugs: made by docs/reference.py -->       tests/run/tutorial_bugs.py
    <!-- invariants: made by docs/reference.py -->          sim/result/invariants/
    <!-- price-formats: made by docs/reference.py -->       sim/traces/
    <!-- resource-types: made by docs/reference.py -->      fakes/cloudformation/types/
    <!-- policy-line: made by docs/reference.py -->         docs/policy-line.schema.json
    <!-- spotrun-options: made by docs/reference.py -->     spotrun's --help
    <!-- table of market, from scenario.schema.json -->     docs/scenario.schema.json
    <!-- table of points, from explore.schema.json -->      docs/explore.schema.json

`--programs FOLDER` says where spotrun and spottrain are. Without it their options stay as they are.
With --check the repository's scenarios, sweeps and job files, and a checkpoint, must also fit the
schemas.
"""
import argparse
import ast
import json
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGES = [page for folder in ("", "tutorials", "notes") for page in (DOCS / folder).glob("*.md")]
# By schema: the files that must fit it, and what a file with this subject has.
FILES = {"scenario": ("scenarios/**/*.yaml", r"^(start|based_on):"),
         "sweep": ("scenarios/sweeps/*.yaml", r"^(policies|failing_job|scenario):"),
         "advice": ("scenarios/advice/*.yaml", ""),
         "job": ("scenarios/*/job.json", '"train":')}
CHECKPOINT = ("policies/checkpoint/kinds.cpp", "checkpoint_policy_kinds")
ACQUISITION = "policies/acquisition/kinds.cpp"
KINDS = {"checkpoint-policies": CHECKPOINT,
         "acquisition-policies": (ACQUISITION, "acquisition_policy_kinds"),
         "pool-rules": (ACQUISITION, "pool_rule_kinds"),
         "bid-rules": (ACQUISITION, "bid_rule_kinds"),
         "strategies": (ACQUISITION, "strategy_kinds")}
MADE = re.compile(r"(<!-- ([\w-]+): made by docs/reference\.py -->\n)"
                  r"(?:.*\n)*?(<!-- end of \2 -->)")
# The other schemas are of files that programs write.
SCHEMAS = "|".join([*FILES, "checkpoint", "advice-result", "explore"])
TABLE = re.compile(rf"(<!-- table of ([\w.-]+), from ({SCHEMAS})\.schema\.json -->\n)"
                   r"(?:\|.*\n)*")
ROW = re.compile(r'\{"([\w-]+)",\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),')


def table(heading, rows):
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join("|" + "|".join(f" {cell} " if cell else " " for cell in line) + "|\n"
                   for line in lines)


# ---- policies: the rows of a table in C++


def kinds(part):
    file, function = KINDS[part]
    text = (ROOT / file).read_text().split(f"{function}() {{")[1].split("return kinds;")[0]
    rows = [(f"`{name}`" if not argument else f"`{name}:{argument}`",
             "".join(re.findall(r'"([^"]*)"', does)))
            for name, argument, does in ROW.findall(text)]
    return table(("name", "saves" if part == "checkpoint-policies" else "rule"), rows)


# ---- actions: the rows of api/actions/*.txt


def actions(part):
    rows = []
    file = ROOT / f"api/actions/{part.removesuffix('-actions')}.txt"
    for line in file.read_text().splitlines():
        row = re.match(r"([A-Z]\w+):([^;]*)(.*)", line)
        if not row:
            continue
        ignored = re.search(r"; ignored ([^;]*)", row[3])
        rows.append((f"`{row[1]}`", "all" if row[2].strip() == "*" else row[2].strip(),
                     ignored[1].strip() if ignored else ""))
    return table(("action", "members that are read", "ignored"), rows)


# ---- fields: the lines that programs as policies get

LINES = {"policy-line": ("policy-line", None), "strategy-begin": ("strategy-line", "begin"),
         "strategy-tick": ("strategy-line", "tick")}


def fields(part):
    file, branch = LINES[part]
    schema = json.loads((DOCS / f"{file}.schema.json").read_text())
    properties = dict((schema["$defs"][branch] if branch else schema)["properties"])
    properties.update(properties.get("pools", {}).get("items", {}).get("properties", {}))
    return table(("field", "value", "null"),
                 [(f"`{name}`", node["description"], node.get("null", "never"))
                  for name, node in properties.items()])


# ---- resource types: the structs in fakes/cloudformation/types


def resource_types():
    rows = []
    for file in sorted((ROOT / "fakes/cloudformation/types").glob("*.cpp")):
        text = file.read_text()
        for name, value in re.findall(r'string_view (k\w+) = ("[^"]*");', text):
            text = text.replace(f"{{{name}}}", f"{{{value}}}")
        lists = {name: re.findall(r'"(\w[\w.]*)"', words) for name, words in
                 re.findall(r"string_view (k\w+)\[\] = \{(.*?)\};", text, re.S)}
        lists["kOnlyTags"] = ["Tags"]
        for name, body in re.findall(r'\.type = "(AWS::[\w:]+)"(.*?)\};', text, re.S):
            attributes = re.search(r"\.attributes = (k\w+)", body)
            changes = re.search(r"\.changes = (?:std::span\()?(k\w+)(?:\)\.first\((\w+)\))?", body)
            changed = lists[changes[1]] if changes else []
            if changes and changes[2]:
                changed = changed[:int(re.search(rf"{changes[2]} = (\d+)", text)[1])]
            rows.append((f"`{name}`", ", ".join(lists[attributes[1]] if attributes else ()),
                         ", ".join(changed)))
    return table(("type", "attributes", "properties that an update changes in place"), sorted(rows))


# ---- invariants: what their constructors say, in the order of the list

FIGURES = "running_instances active_fleets snapshots state_kept tagged_volumes outcome".split()
MADE_BY = re.compile(r"unique_ptr<Invariant> (\w+)\([^)]*\) \{\s*return std::make_unique<(\w+)>")
CONSTRUCTOR = re.compile(r'(\w+)\([^()]*\)\s*: Invariant\("([\w-]+)",')
SENTENCE = re.compile(r'^\s*(?:fmt::format\()?((?:"[^"]+"\s*)+)(\+?)'
                      r'|set_sentence\(fmt::format\(((?:"[^"]+"\s*)+)', re.M)


def invariants():
    folder, rows = ROOT / "sim/result/invariants", {}
    for file in folder.glob("*.cpp"):
        text = file.read_text()
        makers = {kind: maker for maker, kind in MADE_BY.findall(text)}
        _, *pieces = CONSTRUCTOR.split(text)
        for kind, name, rest in zip(pieces[::3], pieces[1::3], pieces[2::3]):
            if kind in makers:
                plain, more, set_later = SENTENCE.search(rest).groups()
                words = "".join(re.findall(r'"([^"]+)"', plain or set_later)) + "N" * bool(more)
                stated = ", ".join(f"`{one}`" for one in FIGURES if f'"{one}"' in rest)
                rows[makers[kind]] = (f"`{name}`", words.replace("{}", "N"), stated)
    order = (folder / "list.cpp").read_text().split("kInvariants[] = {")[1].split("}")[0]
    return table(("id", "what must hold", "excused by"),
                 [rows[name] for name in re.findall(r"\w+", order)])


# ---- trace formats: name and looks of each struct, in the order of their table

TEXT = r'(?:R"\((?:.|\n)*?\)"|"[^"]*"(?:\s*"[^"]*")*|k\w+)'
CONSTANT = re.compile(rf"constexpr std::string_view (k\w+) = ({TEXT});")


def formats(part):
    kind = part.removesuffix("-formats").capitalize()
    text = "".join(file.read_text() for file in sorted((ROOT / "sim/traces").glob("*.cpp")))
    struct = re.compile(rf'{kind}Format (k\w+){{\s*(?:\.name = )?"([\w-]+)",'
                        rf"\s*(?:\.looks_like = )?({TEXT})")
    constants = dict(CONSTANT.findall(text))
    rows = {}
    for struct_name, name, looks in struct.findall(text):
        looks = constants.get(looks, looks)
        words = re.findall(r'R"\(((?:.|\n)*?)\)"', looks) or re.findall(r'"([^"]*)"', looks)
        rows[struct_name] = (f"`{name}`", f"`{''.join(words)}`")
    order = re.search(rf"k{kind}Formats{{(.*?)}}", text, re.S)[1]
    return table((kind.lower(), "looks like"),
                 [rows[name] for name in re.findall(r"k\w+", order)])


# ---- bugs: what tests/run/tutorial_bugs.py expects of each scenario


def tutorial_bugs():
    text = (ROOT / "tests/run/tutorial_bugs.py").read_text()
    bugs = ast.literal_eval(re.search(r"^BUGS = (\{.*?^\})", text, re.M | re.S)[1])
    rows = []
    for name, (found_by, runs, breaks) in bugs.items():
        number, _, words = name.partition("-")
        rows.append((number.lstrip("0"), f"[{words.replace('-', ' ')}]"
                     f"(../../scenarios/tutorial-bugs/{name}.yaml)",
                     ", ".join(f"`{one}`" for one in found_by) or "no fault",
                     f"`{breaks}`", str(runs) if found_by else "–"))
    return table(("bug", "what the script does", "found with the fault", "breaks", "faults tried"),
                 rows)


# ---- options: what a program's --help prints


def options(part, programs):
    program, rows = programs / part.removesuffix("-options"), []
    for command in re.findall(r"^  (\w[\w-]*)  ", help_of(program).split("Subcommands:")[1], re.M):
        for line in joined(help_of(program, command)):
            words = re.match(r"(--[\w-]+) (\S+\|\S+) \[(\S+)\] +(.*)", line)
            spec, _, meaning = line.partition("  ")
            variable = re.search(r"Env:(\w+)", spec)
            value = re.search(r"=(\S+)|(REQUIRED)", spec)
            name = re.match(r"--?[\w-]+|[A-Z]+", spec)[0]
            default = (value[1] or "required") if value else ""
            if words:
                name, default, meaning = words[1], words[3], f"{words[2]}. {words[4]}"
            if variable:
                meaning += f" (or `{variable[1]}`)"
            if name != "-h":
                rows.append((f"`{command}`", f"`{name}`", default,
                             meaning.strip(" .").replace("|", "\\|")))
    return table(("command", "option", "default", "meaning"), rows)


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True,
                          check=True).stdout


def joined(text):
    """A line for each option: its name and values, two spaces, its description."""
    lines = []
    for line in re.findall(r"^ +(?:--?[a-z]|[A-Z]+ TEXT|  +).*", text, re.M):
        if re.match(r" {20}", line):
            lines[-1] += "  " + line.strip()
        elif re.match(r" +(-|[A-Z])", line):
            # A name as wide as its column has one space behind it.
            line = re.sub(r"^ +(--[\w-]+ [A-Z]+=\S+) (?=\w+ )", r"\1  ", line)
            lines.append(re.sub(r"  +", "  ", line.strip(), count=1))
    return lines


# ---- keys: the properties of an object in a schema


WORDS = {"object": "mapping", "array": "list", "integer": "whole number", "string": "text",
         "boolean": "true or false"}


def resolved(schema, node):
    return {**schema["$defs"][node["$ref"].split("/")[-1]], **node} if "$ref" in node else node


def objects(schema, node):
    """The nodes below that may have properties: of a mapping, a list's items, alternatives."""
    node = resolved(schema, node)
    below = [node, node.get("items"), node.get("additionalProperties"), *node.get("anyOf", [])]
    found = [one for one in below if isinstance(one, dict) and "properties" in one]
    return found or [one for other in below[1:] if isinstance(other, dict)
                     for one in objects(schema, other)]


def kind(schema, node):
    node = resolved(schema, node)
    values = node.get("enum", [node["const"]] if "const" in node else [])
    words = ", ".join(f"`{value}`" for value in values) or node.get("type", "")
    types = words if isinstance(words, list) else [words]
    return node.get("title") or " or ".join(WORDS.get(one, one) for one in types)


def keys(name, file):
    text = (DOCS / f"{file}.schema.json").read_text()
    schema = json.loads(text)
    nodes = [schema]
    for key in [] if name == file else name.split("."):
        nodes = [one for node in nodes for one in objects(schema, node["properties"].get(key, {}))]
    properties = nodes[-1]["properties"].items()
    if '"default":' not in text:
        return table(("key", "value", "meaning"), [
            (f"`{key}`", kind(schema, node), node["description"]) for key, node in properties])
    return table(("key", "type", "default", "meaning"), [
        (f"`{key}`", kind(schema, node), str(node.get("default", "")), node["description"])
        for key, node in properties])


def misfits():
    """A line for each value of a file in the repository that its schema does not allow."""
    try:
        import jsonschema
        import yaml
    except ImportError:
        print("python3-jsonschema or python3-yaml is not installed: no file is checked")
        return

    class Loader(yaml.SafeLoader):  # an instant stays text
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    for name, (places, mark) in FILES.items():
        judge = jsonschema.Draft202012Validator(
            json.loads((DOCS / f"{name}.schema.json").read_text()))
        found = [file for file in sorted(ROOT.glob(places))
                 if re.search(mark, file.read_text(), re.M)
                 and not (name == "scenario" and file.parent.name == "sweeps")]
        if not found:
            yield f"found no {places}, expected files for {name}.schema.json"
        for file in found:
            for error in judge.iter_errors(yaml.load(file.read_text(), Loader)):
                place = ".".join(map(str, error.path))
                yield f"{file.relative_to(ROOT)}: {place}: {error.message[:200]}"


def checkpoint_misfits(programs):
    """The same of a checkpoint that spottrain makes."""
    try:
        import jsonschema
    except ImportError:
        return
    with tempfile.TemporaryDirectory(prefix="checkpoint-") as folder:
        for command in (["synthesize", "data", "--train", "32", "--test", "32"],
                        ["train", "--data", "data", "--checkpoints", "c", "--epochs", "1"]):
            subprocess.run([(programs / "spottrain").resolve(), *command], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        data = next(pathlib.Path(folder, "c").glob("*.safetensors"))
        length = int.from_bytes(data.read_bytes()[:8], "little")
        checkpoint = {"header": json.loads(data.read_bytes()[8:8 + length])["__metadata__"],
                      "manifest": json.loads(data.with_suffix(".json").read_text())}
    judge = jsonschema.Draft202012Validator(
        json.loads((DOCS / "checkpoint.schema.json").read_text()))
    for error in judge.iter_errors(checkpoint):
        yield f"a checkpoint: {'.'.join(map(str, error.path))}: {error.message[:200]}"


# ---- pages


def current(text, programs):
    def made(match):
        part = match[2]
        if part.endswith("-options"):
            return match[1] + options(part, programs) + match[3] if programs else match[0]
        make = (kinds if part in KINDS else fields if part in LINES else actions)
        made = {"tutorial-bugs": tutorial_bugs, "resource-types": resource_types,
                "invariants": invariants, "price-formats": lambda: formats(part),
                "availability-formats": lambda: formats(part)}.get(part, lambda: make(part))
        return match[1] + made() + match[3]

    return TABLE.sub(lambda match: match[1] + keys(match[2], match[3]), MADE.sub(made, text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--programs", type=pathlib.Path)
    arguments = parser.parse_args()
    wrong = list(misfits()) if arguments.check else []
    if arguments.check and arguments.programs:
        wrong += checkpoint_misfits(arguments.programs)
    for page in PAGES:
        text = page.read_text()
        made = current(text, arguments.programs)
        if made == text:
            continue
        if arguments.check:
            wrong.append(f"{page.relative_to(ROOT)} is not current: run docs/reference.py")
        else:
            page.write_text(made)
    print("\n".join(wrong) or "the pages are current")
    sys.exit(bool(wrong))


main()
