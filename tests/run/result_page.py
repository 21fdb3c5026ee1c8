"""result_page.py SCHEMA PAGE: the page's tables are what SCHEMA says of each key; with --write they
are made so. NAME.schema.json describes the object NAME. With SPOTSIM SCENARIOS behind them: every
key of real results is described there, and every key that is described is in some result."""
import json
import pathlib
import re
import sys
import tempfile

from support import Run, fail

# What a number counts or measures is in its description.
UNITS = re.compile(r"seconds|US dollars|number of|share|seed|version|exit status")
NAMES = {"#/$defs/amount": "number", "#/$defs/count": "whole number", "#/$defs/instant": "instant",
         "#/$defs/instant_or_never": "instant or null", "#/$defs/attempt": "object"}
WORDS = {"integer": "whole number", "string": "text", "boolean": "true or false", "array": "list"}
# Calls an action that spotsim does not have, ends badly and leaves an instance running.
FAILS = """name: fails
start: 2019-11-05T10:00:00Z
limit: 10m
market: {prices: [PRICES]}
operator:
  script: |
    aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type m4.xlarge
    aws sagemaker create-training-job --training-job-name without-an-image \\
      --role-arn arn:aws:iam::123456789012:role/R --output-data-config S3OutputPath=s3://b/o \\
      --algorithm-specification TrainingImage=r.example/none:1,TrainingInputMode=File \\
      --resource-config InstanceType=ml.m4.xlarge,InstanceCount=1,VolumeSizeInGB=1 \\
      --stopping-condition MaxRuntimeInSeconds=60
    aws cloudformation create-stack --stack-name s \\
      --template-body '{"Resources":{"L":{"Type":"AWS::Logs::LogGroup"}}}'
    aws ec2 create-vpc-endpoint --vpc-id vpc-1 --service-name s3
    exit 3
invariants: [{name: no-exit, never: {event: guest.exit}}]
expect: {running_instances: 1}
"""


def resolved(schema, node):
    """The node, with what its $ref names."""
    name = node.get("$ref", "").removeprefix("#/$defs/")
    return {**schema["$defs"][name], **node} if name else node


def inner(schema, node):
    """The object that a node is, or is a list of; None where it is neither."""
    node = resolved(schema, node)
    node = resolved(schema, node.get("items", node))
    return node if "properties" in node else None


def described_keys(schema, node, path=""):
    """All keys, such as "attempts.cost_usd", each with its node."""
    for key, below in node["properties"].items():
        yield path + key, below
        if inner(schema, below):
            yield from described_keys(schema, inner(schema, below), f"{path}{key}.")


def found_keys(value, path=""):
    """All keys of a result; those that are null too."""
    for item in value if isinstance(value, list) else [value]:
        for key, below in item.items() if isinstance(item, dict) else []:
            yield path + key
            yield from found_keys(below, f"{path}{key}.")


def kind(node):
    if "$ref" in node:
        return NAMES[node["$ref"]]
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    if "const" in node:
        return f"`{node['const']}`"
    types = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return " or ".join(WORDS.get(one, one) for one in types)


def table(schema, name):
    """Of the object at this key, such as "lanes.spans"; WHOLE is the whole."""
    node = schema
    for key in [] if name == WHOLE else name.split("."):
        node = inner(schema, node["properties"][key])
    rows = [f"| `{key}` | {kind(below)} | {below['description']} |"
            for key, below in node["properties"].items()]
    return "\n".join(["| key | value | meaning |", "|---|---|---|", *rows])


def with_tables(schema, page):
    return re.sub(r"(<!-- table of ([\w.]+), from \w+\.schema\.json -->\n)(?:\|.*\n)*",
                  lambda match: match[1] + table(schema, match[2]) + "\n", page)


def check_descriptions(schema):
    for key, node in described_keys(schema, schema):
        if not node.get("description"):
            fail(f"the schema does not say what {key} is")
        types = str(resolved(schema, node).get("type"))
        if ("number" in types or "integer" in types) and not UNITS.search(node["description"]):
            fail(f"the schema does not say what {key} counts, or its unit")


def check_page(schema, page):
    text = page.read_text()
    objects = {key for key, node in described_keys(schema, schema) if inner(schema, node)}
    shown = re.findall(r"<!-- table of ([\w.]+), from", text)
    if sorted(shown) != sorted(objects | {WHOLE}):
        fail(f"{page}: has tables of {sorted(shown)}, expected {sorted(objects | {WHOLE})}")
    if with_tables(schema, text) != text:
        fail(f"{page}: is not what the schema says: {sys.argv[0]} SCHEMA PAGE --write")


def real_results(spotsim, scenarios, folder):
    scenarios = pathlib.Path(scenarios).resolve()
    for name in ("az-hop", "hard-kill", "deadline", "checkpoint-tiers", "on-demand-fallback"):
        yield Run(spotsim, f"{scenarios}/{name}.yaml", "--guest", "fiber",
                  out=f"{folder}/{name}").result
    yield Run(spotsim, f"{scenarios}/iam-missing-permission.yaml", out=f"{folder}/iam").result
    bad = pathlib.Path(folder, "fails.yaml")
    bad.write_text(FAILS.replace("PRICES", f"{scenarios}/traces/us-west-2-gpu.json"))
    yield Run(spotsim, str(bad), out=f"{folder}/fails").result


def check_results(schema, results):
    described = {key for key, _ in described_keys(schema, schema)}
    found = set()
    for result in results:
        keys = set(found_keys(result))
        if keys - described:
            fail(f"{result['scenario']}: the schema does not describe {sorted(keys - described)}")
        found |= keys
    if described - found:
        fail(f"no result has what the schema describes: {sorted(described - found)}")
    print(f"{len(found)} keys of {len(results)} results are described")


schema_file, page_file, *rest = sys.argv[1:]
WHOLE = pathlib.Path(schema_file).name.removesuffix(".schema.json")
form, target = json.loads(pathlib.Path(schema_file).read_text()), pathlib.Path(page_file)
check_descriptions(form)
if rest == ["--write"]:
    target.write_text(with_tables(form, target.read_text()))
check_page(form, target)
if len(rest) == 2:
    with tempfile.TemporaryDirectory(prefix="result-page-") as scratch:
        check_results(form, list(real_results(*rest, scratch)))
