"""report.py SPOTSIM SCENARIO LOG: `spotsim report --json` of the run that wrote LOG keeps to
docs/report.schema.json, its lanes add up to the result's time ledger, and the exports agree."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from support import check_schema, fail

PHASES = {"X": {"dur"}, "i": {"s"}, "C": {"args"}, "M": {"args"}}  # and what each must have


def check_trace_events(trace):
    """The rules of Chrome's Trace Event Format that a reader relies on. A reader drops what breaks
    one of them, without a word."""
    named, tracks = set(), {}
    for event in trace:
        if not PHASES.get(event["ph"], {"?"}) <= event.keys():
            fail(f"the trace event lacks a field of its phase: {event}")
        if not all(isinstance(event[key], int) for key in ("pid", "tid")) or event["ts"] < 0:
            fail(f"the trace event has no place: {event}")
        if event["ph"] == "M":
            named.add((event["name"], event["pid"], event["tid"]))
        if event["ph"] == "X":
            tracks.setdefault((event["pid"], event["tid"]), []).append(event)
        if event["ph"] == "i" and event["s"] not in ("t", "p", "g"):
            fail(f"an instant has a scope of its own: {event}")
        if event["ph"] == "C" and not all(isinstance(value, (int, float))
                                          for value in event["args"].values()):
            fail(f"a counter has no numbers: {event}")
    for event in trace:
        if ("process_name", event["pid"], 0) not in named:
            fail(f"the process of this trace event has no name: {event}")
    for (process, thread), spans in tracks.items():
        if ("thread_name", process, thread) not in named:
            fail(f"the thread {thread} of process {process} has no name")
        spans.sort(key=lambda span: span["ts"])
        for one, other in zip(spans, spans[1:]):
            if one["ts"] + one["dur"] > other["ts"] + 1:  # microseconds
                fail(f"two spans of one thread overlap: {one} {other}")


spotsim, _, log = sys.argv[1:]
run = pathlib.Path(log).parent
printed = subprocess.run([spotsim, "report", run, "--json"], capture_output=True, text=True,
                         check=False)
if printed.returncode != 0:
    fail(f"exit {printed.returncode}: {printed.stderr}")
report = json.loads(printed.stdout)
check_schema(report, "report")
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
check_trace_events(trace)
spans = sum(len(lane["spans"]) for lane in report["lanes"])
if sum(event["ph"] == "X" for event in trace) != spans or min(e.get("dur", 0) for e in trace) < 0:
    fail(f"the trace for Perfetto has not the {spans} spans of the lanes")
with tempfile.TemporaryDirectory(prefix="csv-") as folder:
    subprocess.run([spotsim, "report", run, "--csv", folder], stdout=subprocess.DEVNULL, check=True)
    tables = {path.stem: list(csv.DictReader(path.open(newline="")))
              for path in pathlib.Path(folder).iterdir()}
for name, expected in [("attempts", report["result"]["attempts"]), ("marks", report["marks"]),
                       ("spans", [span for lane in report["lanes"] for span in lane["spans"]])]:
    if len(tables[name]) != len(expected):
        fail(f"{name}.csv has {len(tables[name])} rows, expected {len(expected)}")
if sum(float(row["cost_usd"]) for row in tables["attempts"]) != sum(
        attempt["cost_usd"] for attempt in report["result"]["attempts"]):
    fail(f"attempts.csv has other costs than result.json: {tables['attempts']}")
if [row["text"] for row in tables["marks"]] != [mark["text"] for mark in report["marks"]]:
    fail("marks.csv has other texts than the report")
if report["command"] is None or "spotsim run " not in report["command"]:
    fail(f"found command {report['command']}")
