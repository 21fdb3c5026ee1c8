"""schema_agrees.py SPOTSIM SCENARIOS [COUNT]: `spotsim schema` and the readers agree.

Every shipped scenario, sweep, advice and job file fits the printed schema. COUNT (500) scenarios
with one mistake each, drawn from a seed, are refused by `spotsim validate` and by the schema
alike, for the same place. A reader checks more than a schema can, such as names of zones: a mistake
that only the reader sees counts as agreement if the schema has no rule for the place.
"""
import collections
import copy
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from support import fail, skip

try:
    import jsonschema
    import yaml
except ImportError:
    skip("no jsonschema or yaml (Debian: python3-jsonschema, python3-yaml)")

spotsim, scenarios = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 500
FILES = {"scenario": ("**/*.yaml", r"^(start|based_on):"),
         "sweep": ("sweeps/*.yaml", r"^(policies|failing_job|scenario):"),
         "advice": ("advice/*.yaml", ""),
         "job": ("*/job.json", '"train":')}


class Loader(yaml.SafeLoader):
    """As YAML 1.2: an instant stays text, and so does the key `on`."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if not tag.endswith((":timestamp", ":bool"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def judge_of(name):
    schema = json.loads(subprocess.check_output([spotsim, "schema", name]))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def shipped(name):
    places, mark = FILES[name]
    return [file for file in sorted(scenarios.glob(places))
            if re.search(mark, file.read_text(), re.M)
            and not (name == "scenario" and file.parent.name == "sweeps")]


def place(path):
    """"faults[0].kind" of the keys and indices on the way."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


# ---- one mistake


def nodes(value, path=()):
    """All paths below with their values, without the root."""
    below = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in below:
        yield (*path, key), one
        if isinstance(one, (dict, list)):
            yield from nodes(one, (*path, key))


def parent_of(document, path):
    for part in path[:-1]:
        document = document[part]
    return document


def mistakes(document, judge):
    """All mistakes that fit a document: kind, the place where it is, and how to make it."""
    found = []
    for path, value in nodes(document):
        parent = parent_of(document, path)
        if isinstance(value, dict) and has_keys(judge.schema, path):
            found.append(("unknown key", (*path, "bogus"), 1))
        wrong = "text" if isinstance(value, (dict, list)) else {"wrong": 1}
        found.append(("wrong type", path, wrong))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append(("wrong type", path, "many"))
        if isinstance(value, str) and words_at(judge.schema, path):
            found.append(("wrong word", path, "no-such-word"))
        if isinstance(parent, dict):
            found.append(("missing key", path, None))
    found.append(("unknown key", ("bogus",), 1))
    return found


def with_mistake(document, path, value):
    document = copy.deepcopy(document)
    parent = parent_of(document, path)
    if value is None:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return document


# ---- the rules of a schema for a place


def alternatives(schema, node):
    """The node, what it refers to, and what it is made of."""
    if not isinstance(node, dict):
        return
    yield node
    if "$ref" in node:
        at = schema
        for name in node["$ref"].split("/")[1:]:  # "#/$defs/pool"
            at = at[name]
        yield from alternatives(schema, at)
    for part in [*node.get("anyOf", []), *(rule["then"] for rule in node.get("allOf", []))]:
        yield from alternatives(schema, part)


def nodes_at(schema, path):
    at = list(alternatives(schema, schema))
    for part in path:
        below = []
        for node in at:
            if isinstance(part, int):
                below.append(node.get("items"))
            elif part in node.get("properties", {}):
                below.append(node["properties"][part])
            else:
                below.append(node.get("additionalProperties"))
        at = [one for node in below for one in alternatives(schema, node)]
    return at


def words_at(schema, path):
    at = nodes_at(schema, path)
    return any("enum" in node for node in at) and not any(
        node.keys() == {"type"} and node["type"] == "string" or "pattern" in node for node in at)


def has_keys(schema, path):
    return any(node.get("additionalProperties") is False or "allOf" in node
               for node in nodes_at(schema, path))


# ---- what each refuses


def refused_by_schema(judge, document):
    """Places of all errors, also of those within alternatives."""
    places = set()

    def add(error):
        path = list(error.absolute_path)
        if error.validator == "required":
            missing = re.match(r"'(.*)' is a required", error.message)[1]
            places.add(place([*path, missing]))
        elif error.validator in ("additionalProperties", "propertyNames"):
            names = re.findall(r"'([^']*)'", error.message)[:9]
            places.update(place([*path, name]) for name in names)
        places.add(place(path))
        for inner in error.context:
            add(inner)

    for error in judge.iter_errors(document):
        add(error)
    return places


def refused_by_reader(folder, files):
    """By file, the places of all errors with their messages."""
    ran = subprocess.run([spotsim, "validate", *files], cwd=folder, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True, check=False)
    errors = collections.defaultdict(dict)
    for line in ran.stderr.splitlines():
        match = re.match(r"(?:spotsim: )?(\S+\.yaml):\d+:\d+: ([^ ]*?): (.*)", line)
        if not match:
            continue
        file, at, message = match.groups()
        if unknown := re.match(r'found unknown key "([^"]*)"', message):
            at = unknown[1] if at == "key" else f"{at}.{unknown[1]}"
        errors[file][at] = message
    return errors


def near(places, at):
    """Whether one of the places is this one, around it or within it."""
    return any(one == at or one and (at.startswith((one + ".", one + "["))
                                     or one.startswith((at + ".", at + "["))) for one in places)


def main():
    for name in FILES:
        judge, files = judge_of(name), shipped(name)
        if not files:
            fail(f"found no {FILES[name][0]}")
        for file in files:
            for error in judge.iter_errors(yaml.load(file.read_text(), Loader)):
                fail(f"{file}: {place(error.absolute_path)}: {error.message[:300]}")
    judge, draw, cases = judge_of("scenario"), random.Random(7), []
    documents = {file: yaml.load(file.read_text(), Loader) for file in shipped("scenario")}
    with tempfile.TemporaryDirectory(prefix="schema-") as name:
        folder = pathlib.Path(name) / "scenarios"
        shutil.copytree(scenarios, folder)
        for number in range(COUNT):
            file = draw.choice(list(documents))
            kind = draw.choice(["unknown key", "wrong type", "wrong word", "missing key"])
            fitting = [one for one in mistakes(documents[file], judge) if one[0] == kind]
            if not fitting:
                continue
            _, path, value = draw.choice(fitting)
            wrong = with_mistake(documents[file], path, value)
            made = (folder / file.relative_to(scenarios)).parent / f"mistake-{number}.yaml"
            made.write_text(yaml.dump(wrong, sort_keys=False, allow_unicode=True))
            cases.append((kind, path, value, file, wrong, str(made.relative_to(folder))))
        read = refused_by_reader(folder, [case[-1] for case in cases])
    counts, disagreements = collections.Counter(), []
    for kind, path, value, file, wrong, made in cases:
        at = place(path)
        by_reader = read.get(made, {})
        by_schema = refused_by_schema(judge, wrong)
        verdict = compare(kind, at, by_reader, by_schema)
        counts[kind, verdict or "DISAGREE"] += 1
        if verdict is None:
            disagreements.append(f"{file.name}: {kind} at {at} ({value!r}):\n"
                                 f"   reader {list(by_reader.items())[:3]}\n"
                                 f"   schema {sorted(by_schema)[:6]}")
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind:12} {verdict:24} {count}")
    if disagreements:
        fail(f"{len(disagreements)} of {len(cases)}:\n" + "\n".join(disagreements))


def compare(kind, at, by_reader, by_schema):
    """How they agree; None if they do not."""
    reader, schema = near(by_reader, at), near(by_schema, at)
    if kind == "missing key" and by_reader.keys() & by_schema:
        return "both refuse"  # without `based_on` other keys are missing
    if by_reader and by_schema:
        return "both refuse" if reader and schema else None
    if not by_reader and not by_schema:
        return "both accept"
    if by_reader and kind == "missing key":
        # Another value then lacks what it refers to, or one of several forms is incomplete.
        return "the reader checks more"
    return None


main()
