"""schema.py SCHEMA FOLDER [FILE]: each FILE (result.json, the default, or events.jsonl) that tests
left in a subfolder of FOLDER keeps to SCHEMA. Lines of one log with the same event and fields
are checked once."""
import json
import pathlib
import sys

from support import fail, skip

try:
    import jsonschema
except ImportError:
    skip("python3-jsonschema is not installed")


def validators(schema):
    """By event; None: for other programs' events, and for a schema without events."""
    if "oneOf" not in schema:
        return {None: jsonschema.Draft202012Validator(schema)}
    return {branch["properties"]["event"].get("const"):
            jsonschema.Draft202012Validator({**branch, "$defs": schema["$defs"]})
            for branch in schema["oneOf"]}


def documents(path):
    """Each document of the file with its place: the lines of a log, else the whole file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".jsonl":
        return {str(path): json.loads(text)}
    lines = {}
    for number, line in enumerate(text.splitlines(), 1):
        event = json.loads(line)
        lines.setdefault((event["event"], *event), (f"{path}:{number}", event))
    return dict(lines.values())


def main():
    schema, folder, name = (*sys.argv[1:], "result.json")[:3]
    known = validators(json.loads(pathlib.Path(schema).read_text(encoding="utf-8")))
    files = sorted(pathlib.Path(folder).glob(f"*/{name}"))
    if not files:
        skip("no scenario test has run in this build yet")
    checked = 0
    for file in files:
        for place, document in documents(file).items():
            checked += 1
            for error in known.get(document.get("event"), known[None]).iter_errors(document):
                fail(f"{place}: {error.json_path}: {error.message}")
    print(f"{checked} documents in {len(files)} files keep to the schema")


main()
