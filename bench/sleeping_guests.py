"""sleeping_guests.py SPOTSIM N...: what N process guests cost that mostly sleep.

Each instance reads its metadata with curl twenty times, a minute apart, and powers off. Prints a
table; --check MOST fails unless the last N takes at most MOST times the CPU of the first.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

USER_DATA = """#!/bin/bash
for i in $(seq 20); do
  curl -sf http://169.254.169.254/latest/meta-data/instance-id >/dev/null || exit 1
  sleep 60
done
shutdown -h now
"""

OPERATOR = """aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type m4.xlarge \
--count {n} --placement AvailabilityZone=us-west-2b --user-data file://user-data.sh \
--instance-initiated-shutdown-behavior terminate"""

PRICES = {"SpotPriceHistory": [{
    "AvailabilityZone": "us-west-2b", "InstanceType": "p3.2xlarge", "SpotPrice": "0.918",
    "ProductDescription": "Linux/UNIX", "Timestamp": "2019-11-01T00:00:00Z"}, {
    "AvailabilityZone": "us-west-2b", "InstanceType": "p3.2xlarge", "SpotPrice": "0.918",
    "ProductDescription": "Linux/UNIX", "Timestamp": "2019-11-06T00:00:00Z"}]}


def scenario(n, folder):
    (folder / "files").mkdir()
    (folder / "files" / "user-data.sh").write_text(USER_DATA)
    (folder / "prices.json").write_text(json.dumps(PRICES))
    file = folder / "sleeping.yaml"
    file.write_text(json.dumps({  # which is YAML, too
        "name": f"sleeping-{n}", "description": "Guests that mostly sleep.", "seed": 7,
        "start": "2019-11-05T10:00:00Z", "limit": "2h", "region": "us-west-2",
        "market": {"prices": ["prices.json"]},
        "operator": {"files": "files", "script": OPERATOR.format(n=n)}}))
    return file


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def play(spotsim, n):
    """Real seconds, CPU seconds, and the number of metadata requests."""
    with tempfile.TemporaryDirectory(prefix="sleeping-guests-") as name:
        folder = pathlib.Path(name)
        begin, before = time.monotonic(), cpu()
        run = subprocess.run([spotsim, "run", scenario(n, folder), "--out", folder / "out",
                              "--guest", "process"], capture_output=True, text=True, check=False)
        took, used = time.monotonic() - begin, cpu() - before
        if run.returncode == 2:
            sys.exit(f"{spotsim} run failed:\n{run.stderr}")
        log = (folder / "out" / "events.jsonl").read_text()
    requests = log.count('"imds.request"')
    if requests != 20 * n:
        sys.exit(f"{requests} metadata requests instead of {20 * n}\n{run.stdout}{run.stderr}")
    return took, used, requests


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spotsim")
    parser.add_argument("guests", type=int, nargs="+")
    parser.add_argument("--check", type=float)
    options = parser.parse_args()
    print("guests  requests  real s   CPU s  CPU ms a request")
    costs = []
    for n in options.guests:
        took, used, requests = play(options.spotsim, n)
        costs.append(used)
        print(f"{n:6}  {requests:8}  {took:6.1f}  {used:6.1f}  {1000 * used / requests:16.1f}",
              flush=True)
    if options.check and costs[-1] > options.check * costs[0]:
        sys.exit(f"{options.guests[-1]} guests cost {costs[-1] / costs[0]:.1f} times as much as "
                 f"{options.guests[0]}, not at most {options.check}")


if __name__ == "__main__":
    main()
