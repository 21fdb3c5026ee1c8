"""import_aws.py SPOTSIM SCENARIOS: records of an account become a scenario that repeats what they
state. The records in records/ have the formats that the pages named in sim/cli/import/ document."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from support import fail

spotsim, scenarios = sys.argv[1:]
RECORDS = pathlib.Path(__file__).parent / "records"
PRICES = pathlib.Path(scenarios) / "traces/us-west-2-gpu.json"
EC2 = [RECORDS / name for name in ("cloudtrail.json", "fleet-history.json", "spot-requests.json",
                                   "instances.json", "events.jsonl", "volumes.json")]


def import_aws(*words, status=0):
    done = subprocess.run([spotsim, "import", "aws", *map(str, words)], capture_output=True,
                          text=True, check=False)
    if done.returncode != status:
        fail(f"import aws {words}: {done.returncode}, expected {status}:\n{done.stdout[-3000:]}"
             f"{done.stderr[-3000:]}")
    return done.stdout if status == 0 else done.stderr


def expect(text, *parts):
    for part in parts:
        if part not in text:
            fail(f"{part!r} is not in:\n{text}")


def instances_are_replayed(folder):
    printed = import_aws(*EC2, PRICES, "-o", folder, "--compare")
    expect(printed, "1  CloudTrail BidEvictedEvent\n", "1  CloudTrail DescribeInstances\n",
           "1  CloudTrail RunInstances that failed with Server.InsufficientInstanceCapacity\n",
           "1  spot request without an instance\n", "volume_attaching 4s, volume_creating 4s",
           "Equal ends: 3 of 3.")
    largest = float(re.search(r"Largest difference of times: ([\d.]+) s", printed)[1])
    if largest > 5:
        fail(f"the replay is {largest} s from the records:\n{printed}")
    difference = float(re.search(r"replayed \(([+-][\d.]+) %\)", printed)[1])
    if abs(difference) > 1:
        fail(f"the replay's cost is {difference} % from the records':\n{printed}")
    print(printed)


def looked_up(event):
    """An entry of `aws cloudtrail lookup-events` (CloudTrail API Reference, "Event").
    aws-cli prints its time in the zone of the caller's machine."""
    return {"EventId": "654ccbc0-ba0d-486a-9076-dbf7274677a7", "EventName": event["eventName"],
            "ReadOnly": "false", "AccessKeyId": "AKIAIOSFODNN7EXAMPLE",
            "EventTime": event["eventTime"].replace("Z", "-08:00"),
            "EventSource": event["eventSource"], "Username": "operator", "Resources": [],
            "CloudTrailEvent": json.dumps(event, separators=(",", ":"))}


def looked_up_events_are_those_of_log_files(folder):
    [log, *others] = EC2
    events = json.loads(log.read_text(encoding="utf-8"))["Records"]
    trail = folder / "trail.json"
    # The newest comes first.
    trail.write_text(json.dumps({"Events": [looked_up(event) for event in reversed(events)]},
                                indent=4), encoding="utf-8")
    printed = [import_aws(file, *others, PRICES, "-o", folder / name).replace(name, "OUT")
               for name, file in (("log", log), ("looked-up", trail))]
    if printed[0] != printed[1]:
        fail(f"log files:\n{printed[0]}\nlookup-events:\n{printed[1]}")
    for file in sorted(path for path in (folder / "log").rglob("*") if path.is_file()):
        other = folder / "looked-up" / file.relative_to(folder / "log")
        if file.read_bytes() != other.read_bytes():
            fail(f"{file.name} differs if CloudTrail's events are looked up")


def a_training_job_is_replayed(folder):
    printed = import_aws(RECORDS / "training-job.json", PRICES, "-o", folder, "--compare")
    expect(printed, "1  training job\n", "Equal ends: 1 of 1.")
    for status in ("Interrupted", "Training", "Uploading", "Completed"):
        if not re.search(rf"{status} +2019.* +2019", printed):
            fail(f"{status} is not replayed:\n{printed}")
    print(printed)


def wrong_files_are_refused(folder):
    def refused(text, *expected):
        file = folder / "wrong.json"
        file.write_text(text, encoding="utf-8")
        out = folder / "none"
        expect(import_aws(file, PRICES, "-o", out, status=2), f"{file}", *expected)
        if out.exists():
            fail("a refused import writes files")

    refused("", "found an empty file, expected records of CloudTrail")
    refused("{", "found no JSON")
    refused("[" * 100000, "found no JSON")
    refused('{"Buckets": []}', "the document: found an object, expected records of CloudTrail")
    refused('[{"eventName": "RunInstances", "responseElements": {"instancesSet": {"items": '
            '[{}]}}}]', "[0].responseElements.instancesSet.items[0].instanceId: found none, "
            "expected an instance's ID")
    refused('{"Reservations": [{"Instances": [{"InstanceId": "i-1", "InstanceType": "p3.2xlarge", '
            '"LaunchTime": "yesterday"}]}]}',
            'Reservations[0].Instances[0].LaunchTime: found "yesterday", expected an instant')
    refused('{"Reservations": {}, "x": 1e999}', "")
    for event in ("{}", '"[1]"', '"{"'):
        refused(f'{{"Events": [{{"CloudTrailEvent": {event}}}]}}',
                "Events[0].CloudTrailEvent: found", "expected CloudTrail's event as a JSON text")

    expect(import_aws(*EC2, "-o", folder / "none", status=2), "found no price of p3.2xlarge",
           "aws ec2 describe-spot-price-history")
    expect(import_aws(PRICES, "-o", folder / "none", status=2), "found no instance")
    expect(import_aws(folder / "missing.json", "-o", folder / "none", status=2), "missing.json")


with tempfile.TemporaryDirectory() as made:
    wrong_files_are_refused(pathlib.Path(made))
    looked_up_events_are_those_of_log_files(pathlib.Path(made))
    instances_are_replayed(pathlib.Path(made) / "instances")
    a_training_job_is_replayed(pathlib.Path(made) / "job")
