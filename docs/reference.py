#!/usr/bin/env python3
"""Writes the parts of the documentation that the sources state.

    reference.py            writes them into the pages
    reference.py --check    exits with 1 where a page is not current, or the schema does not fit

A page marks each part:

    <!-- pool-rules: made by docs/reference.py -->          policies/acquisition/kinds.cpp
    <!-- ec2-actions: made by docs/reference.py -->         api/actions/ec2.txt
    <!-- table of market, from scenario.schema.json -->     docs/scenario.schema.json

With --check the repository's scenarios must also fit the schema.
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
SCHEMA = DOCS / "scenario.schema.json"
PAGES = ("scenario.md", "policies.md", "actions.md")
CHECKPOINT = ("policies/checkpoint/kinds.cpp", "checkpoint_policy_kinds")
ACQUISITION = "policies/acquisition/kinds.cpp"
KINDS = {"checkpoint-policies": CHECKPOINT,
         "acquisition-policies": (ACQUISITION, "acquisition_policy_kinds"),
         "pool-rules": (ACQUISITION, "pool_rule_kinds"),
         "bid-rules": (ACQUISITION, "bid_rule_kinds"),
         "strategies": (ACQUISITION, "strategy_kinds")}
MADE = re.compile(r"(<!-- ([\w-]+): made by docs/reference\.py -->\n)"
                  r"(?:.*\n)*?(<!-- end of \2 -->)")
TABLE = re.compile(r"(<!-- table of ([\w.]+), from scenario\.schema\.json -->\n)(?:\|.*\n)*")
ROW = re.compile(r'\{"([\w-]+)",\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),')


def table(heading, rows):
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines).replace("|  |", "| |")


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
        row = re.match(r"([A-Z]\w+): ([^;]*)(.*)", line)
        if not row:
            continue
        ignored = re.search(r"; ignored ([^;]*)", row[3])
        rows.append((f"`{row[1]}`", "all" if row[2].strip() == "*" else row[2].strip(),
                     ignored[1].strip() if ignored else ""))
    return table(("action", "members that are read", "ignored"), rows)


# ---- scenario keys: the properties of an object in the schema


def resolved(schema, node):
    return {**schema["$defs"][node["$ref"].split("/")[-1]], **node} if "$ref" in node else node


def objects(node):
    """The nodes below that may have properties: of a mapping, a list's items, alternatives."""
    below = [node, node.get("items"), node.get("additionalProperties"), *node.get("anyOf", [])]
    found = [one for one in below if isinstance(one, dict) and "properties" in one]
    return found or [one for other in below[1:] if isinstance(other, dict)
                     for one in objects(other)]


def kind(schema, node):
    node = resolved(schema, node)
    words = ", ".join(f"`{value}`" for value in node.get("enum", []))
    return node.get("title") or words or {"object": "mapping", "array": "list"}[node["type"]]


def keys(schema, name):
    nodes = [schema]
    for key in [] if name == "scenario" else name.split("."):
        nodes = [one for node in nodes for one in objects(node["properties"].get(key, {}))]
    rows = [(f"`{key}`", kind(schema, node), str(node.get("default", "")), node["description"])
            for key, node in nodes[-1]["properties"].items()]
    return table(("key", "type", "default", "meaning"), rows)


def check_scenarios(schema):
    try:
        import jsonschema
        import yaml
    except ImportError:
        print("python3-jsonschema or python3-yaml is not installed: no scenario is checked")
        return []

    class Loader(yaml.SafeLoader):  # an instant stays text
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    judge, wrong = jsonschema.Draft202012Validator(schema), []
    for file in sorted((ROOT / "scenarios").rglob("*.yaml")):
        if re.search(r"^(start|based_on):", file.read_text(), re.M):
            scenario = yaml.load(file.read_text(), Loader)
            wrong += [f"{file.relative_to(ROOT)}: {'.'.join(map(str, error.path))}: {error.message}"
                      for error in judge.iter_errors(scenario)]
    return wrong


# ---- pages


def current(text, schema):
    def made(match):
        part = match[2]
        return match[1] + (kinds if part in KINDS else actions)(part) + match[3]

    text = MADE.sub(made, text)
    return TABLE.sub(lambda match: match[1] + keys(schema, match[2]), text)


def main():
    schema = json.loads(SCHEMA.read_text())
    wrong = check_scenarios(schema) if "--check" in sys.argv else []
    for page in (DOCS / name for name in PAGES):
        text = page.read_text()
        if "--check" not in sys.argv:
            page.write_text(current(text, schema))
        elif current(text, schema) != text:
            wrong.append(f"{page}: is not current: run docs/reference.py")
    print("\n".join(wrong) or "the pages are current")
    sys.exit(bool(wrong))


main()
