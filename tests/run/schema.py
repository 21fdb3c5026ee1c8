"""schema.py SCHEMA FOLDER: each result.json that scenario tests left in FOLDER keeps to SCHEMA."""
import json
import pathlib
import sys

from support import fail, skip

try:
    import jsonschema
except ImportError:
    skip("python3-jsonschema is not installed")

schema, folder = map(pathlib.Path, sys.argv[1:])
validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
results = sorted(folder.glob("*/result.json"))
if not results:
    skip("no scenario test has run in this build yet")
for result in results:
    for error in validator.iter_errors(json.loads(result.read_text())):
        fail(f"{result.parent.name}: {error.json_path}: {error.message}")
print(f"{len(results)} results keep to the schema")
