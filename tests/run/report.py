"""report.py SPOTSIM SCENARIO LOG: `spotsim report --json` of the run that wrote LOG keeps to
docs/report.schema.json, and its lanes add up to the result's time ledger."""
import json
import pathlib
import subprocess
import sys

from support import fail

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("python3-jsonschema is not installed: the form is not checked")

spotsim, _, log = sys.argv[1:]
run = pathlib.Path(log).parent
printed = subprocess.run([spotsim, "report", run, "--json"], capture_output=True, text=True,
                         check=False)
if printed.returncode != 0:
    fail(f"exit {printed.returncode}: {printed.stderr}")
report = json.loads(printed.stdout)
if jsonschema:
    schema = pathlib.Path(__file__).parents[2] / "docs/report.schema.json"
    jsonschema.validate(report, json.loads(schema.read_text()))
if report["result"] != json.loads((run / "result.json").read_text()):
    fail("the result is not result.json")
for column, seconds in report["result"]["time_ledger_seconds"].items():
    found = sum(span["to"] - span["from"] for lane in report["lanes"] for span in lane["spans"]
                if lane["kind"] == "instance" and span["what"] == column)
    if column not in ("billed", "waiting") and abs(found - seconds) > 1e-6:
        fail(f"spans of {column} have {found} s, expected {seconds}")
lines = pathlib.Path(log).read_text().splitlines()
for number, text in report["lines"].items():
    if lines[int(number) - 1] != text:
        fail(f"line {number} is not that of the log")
shown = {mark["kind"] for mark in report["marks"]}
if not {"interrupted", "call", "phase", "checkpoint", "exit"} <= shown:
    fail(f"found marks {sorted(shown)}")
trace = json.loads(subprocess.run([spotsim, "report", run, "--perfetto"], capture_output=True,
                                  text=True, check=True).stdout)["traceEvents"]
spans = sum(len(lane["spans"]) for lane in report["lanes"])
if sum(event["ph"] == "X" for event in trace) != spans or min(e.get("dur", 0) for e in trace) < 0:
    fail(f"the trace for Perfetto has not the {spans} spans of the lanes")
if report["command"] is None or "spotsim run " not in report["command"]:
    fail(f"found command {report['command']}")
