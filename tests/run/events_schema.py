"""events_schema.py SCHEMA FOLDER: each events.jsonl that scenario tests left in FOLDER keeps to
SCHEMA. Of the lines of one log that have the same event and fields, one is looked at."""
import json
import pathlib
import sys

from support import fail, skip

try:
    import jsonschema
except ImportError:
    skip("python3-jsonschema is not installed")

file, folder = map(pathlib.Path, sys.argv[1:])
schema = json.loads(file.read_text(encoding="utf-8"))
branches = {branch["properties"]["event"].get("const"): branch for branch in schema["oneOf"]}
validators = {kind: jsonschema.Draft202012Validator({**branch, "$defs": schema["$defs"]})
              for kind, branch in branches.items()}
logs = sorted(folder.glob("*/events.jsonl"))
if not logs:
    skip("no scenario test has run in this build yet")
kinds = set()
for log in logs:
    seen = set()
    for number, line in enumerate(log.read_text(encoding="utf-8").splitlines(), 1):
        event = json.loads(line)
        if (form := (event["event"], *event)) in seen:
            continue
        seen.add(form)
        kinds.add(event["event"])
        validator = validators.get(event["event"], validators[None])  # None: of other programs
        for error in validator.iter_errors(event):
            fail(f"{log}:{number}: {error.json_path}: {error.message}")
print(f"{len(kinds)} kinds of events in {len(logs)} logs keep to the schema")
