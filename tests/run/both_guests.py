"""A scenario in both kinds of guest gives one log, but for what docs/fiber-guest.md states.

both_guests.py SPOTSIM SCENARIO LOG|async

LOG: of an earlier run in process guests.
async: with asynchronous checkpoints instead of the scenario's.
"""
import collections
import datetime
import json
import pathlib
import re
import shutil
import sys
import tempfile

from support import Run, fail, need_lockstep

# ---- what may differ; docs/fiber-guest.md gives the reasons. Nothing else may.
SECONDS = 0.15                                # times, also those within texts
IGNORED_FIELDS = {"run.start": {"guest", "level", "lockstep", "assumptions"},
                  "trainer.checkpoint-durable": {"path", "disk"},
                  "object.stored": {"bytes", "etag"},
                  "sagemaker.model": {"bytes"}}
RELATIVE = {("snapshot.state", "stored_bytes"): 0.01,
            ("charge", "quantity"): 0.001,
            ("charge", "cost"): 0.001,
            ("sagemaker.end", "training_seconds"): 0.001,
            ("sagemaker.end", "billable_seconds"): 0.001}


def without_file(event):
    """Where the trained state is: models have folders, and no files in them."""
    path = (event.get("evidence") or {}).get("path")
    if path and path.endswith(".safetensors"):
        event["evidence"]["path"] = str(pathlib.PurePath(path).parent)
    return event


def is_poll(event):
    """A look at metadata that finds nothing, or the token for such looks."""
    return event["event"] == "imds.request" and (
        event["status"] == 404 or event["method"] == "PUT")


def is_left_out(event):
    """Containers that are models say nothing, and keep no best checkpoint beside the last three."""
    return event["event"] == "object.removed" or (
        event["event"] == "charge" and event["kind"] == "logs")
# ----

# Of one of these the lines come in the same order in both; of different ones they may change
# places where times do.
ACTORS = ["instance_id", "caller", "machine", "volume_id", "snapshot_id", "fleet_id",
          "spot_request_id", "resource", "resource_id", "instance_type"]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b\d+\.\d{3}s\b")


def seconds(text):
    """Of an instant, or a duration such as 12.345s."""
    if text.endswith("s"):
        return float(text[:-1])
    whole, _, fraction = text.rstrip("Z").partition(".")
    instant = datetime.datetime.fromisoformat(whole + "+00:00")
    return instant.timestamp() + (float("0." + fraction) if fraction else 0)


def same_text(a, b):
    times_a, times_b = TIME.findall(a), TIME.findall(b)
    if TIME.sub("", a) != TIME.sub("", b) or len(times_a) != len(times_b):
        return False
    return all(abs(seconds(x) - seconds(y)) <= SECONDS for x, y in zip(times_a, times_b))


def same(a, b, relative=None):
    if relative is not None:
        return abs(float(a) - float(b)) <= relative * abs(float(a))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, str) and isinstance(b, str):
        return same_text(a, b)
    return a == b


def differing_fields(a, b):
    kind = a["event"]
    for field in (a.keys() | b.keys()) - IGNORED_FIELDS.get(kind, set()):
        if field not in a or field not in b:
            yield field
        elif not same(a[field], b[field], RELATIVE.get((kind, field))):
            yield field


def stories(log):
    """The lines of each kind and actor, in order."""
    found = collections.defaultdict(list)
    for line in log.splitlines():
        event = without_file(json.loads(line))
        if not is_poll(event) and not is_left_out(event):
            actor = next((event[name] for name in ACTORS if name in event), "")
            found[event["event"], actor].append(event)
    return {key: without_looks_between(lines) for key, lines in found.items()}


def without_looks_between(lines):
    """Between two calls that do something: of each description the first, and the last of all."""
    seen, last, between = set(), None, set()
    for i, line in enumerate(lines):
        if line["event"] != "api.call" or not line["action"].startswith("Describe"):
            seen, last = set(), None
            continue
        asked = json.dumps([line[field] for field in ["action", "result", "request"]])
        if asked in seen:
            between.add(last)
            last = i
        seen.add(asked)
    return [line for i, line in enumerate(lines) if i not in between]


def compare(process, fiber):
    """The largest difference of times; fails at a line that has no counterpart."""
    worst = 0
    for key in sorted(process.keys() | fiber.keys()):
        ours, theirs = process.get(key, []), fiber.get(key, [])
        for a, b in zip(ours, theirs):
            fields = sorted(differing_fields(a, b))
            if fields:
                fail(f"{fields} differ:\n  process {json.dumps(a)}\n  fiber   {json.dumps(b)}")
            worst = max(worst, abs(seconds(a["time"]) - seconds(b["time"])))
        if len(ours) != len(theirs):
            fail(f"{key}: {len(ours)} lines with process guests, {len(theirs)} with fibers")
    return worst


def play(spotsim, scenario, guest, folder):
    run = Run(spotsim, scenario, "--guest", guest, out=f"{folder}/{guest}")
    if run.status != 0:
        fail(f"{guest}: exit {run.status}\n{run.process.stderr[-3000:]}")
    return run.events


def replace(file, old, new):
    text = file.read_text()
    if old not in text:
        fail(f"{file}: no {old}")
    file.write_text(text.replace(old, new))


def with_async_checkpoints(scenario, folder):
    """A copy of it, in which spottrain and its model save so."""
    shutil.copytree(pathlib.Path(scenario).parent, folder)
    copy = pathlib.Path(folder) / pathlib.Path(scenario).name
    replace(copy, "data_bytes:", "checkpoint: {mode: async}, data_bytes:")
    replace(copy.parent / "cifar10-job" / "job.json", "./train.sh",
            "./train.sh --checkpoint-mode async")
    return copy


def main():
    spotsim, scenario, log = sys.argv[1:]
    need_lockstep()
    with tempfile.TemporaryDirectory(prefix="both-guests-") as folder:
        if log == "async":
            scenario = with_async_checkpoints(scenario, f"{folder}/scenarios")
            process = play(spotsim, scenario, "process", folder)
        else:
            process = pathlib.Path(log).read_bytes()
        fiber = stories(play(spotsim, scenario, "fiber", folder))
        worst = compare(stories(process), fiber)
    lines = sum(map(len, fiber.values()))
    print(f"{pathlib.Path(scenario).stem}: {lines} lines alike, times within {worst:.3f} s")


if __name__ == "__main__":
    main()
