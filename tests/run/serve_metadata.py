"""serve_metadata.py SPOTSIM SCENARIO: each instance has a loopback address that is its metadata
service, as long as it is there."""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from serve_support import Served
from support import fail

spotsim, scenario = sys.argv[1:]


def form(served, action, **parameters):
    body = urllib.parse.urlencode({"Action": action, "Version": "2016-11-15"} | parameters)
    urllib.request.urlopen(urllib.request.Request(served.url, body.encode(), {
        "Authorization": "AWS4-HMAC-SHA256 Credential=A/1/us-west-2/ec2/aws4_request, "
                         "SignedHeaders=host, Signature=0"}), timeout=20).read()


def launch(served):
    """Two instances and their addresses."""
    form(served, "RunInstances", ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge",
         MinCount=2, MaxCount=2)
    found = {i["instance"]: i["metadata_address"] for i in served.get("instances")["instances"]}
    if len(found) != 2 or len(set(found.values())) != 2:
        fail(f"two instances have not two addresses: {found}")
    return found


def asked(served, address):
    """The ID of the instance whose metadata service answers there, or None."""
    try:
        url = f"http://{address}:{served.port}/latest/meta-data/instance-id"
        return urllib.request.urlopen(url, timeout=20).read().decode()
    except urllib.error.HTTPError as error:
        return error.code
    except urllib.error.URLError:
        return None


for options, nobody in ((("--speed", "manual"), None),
                        (("--speed", "manual", "--bind", "0.0.0.0"), 404)):
    with Served(spotsim, scenario, *options) as served:
        addresses = launch(served)
        for instance, address in addresses.items():
            if (found := asked(served, address)) != instance:
                fail(f"{options}: at the address of {instance}: {found}")
        (first, here), (second, there) = addresses.items()
        form(served, "TerminateInstances", **{"InstanceId.1": first})
        served.control("clock", {"by": "10m"})
        if asked(served, here) != nobody or asked(served, there) != second:
            fail(f"{options}: {first} is terminated, and its address answers {asked(served, here)}")
        served.control("fault", {"kind": "instance-reboot", "notice": "1h"})
        events = f"http://{there}:{served.port}/latest/meta-data/events/maintenance/scheduled"
        shown = json.load(urllib.request.urlopen(events, timeout=20))
        if [e["Code"] for e in shown] != ["instance-reboot"] or shown[0]["State"] != "active":
            fail(f"{options}: {second} has no scheduled reboot: {shown}")
        served.control("reset", {})
        if asked(served, there) != nobody:
            fail(f"{options}: an address answers after a reset")
        for instance, address in launch(served).items():
            if (found := asked(served, address)) != instance:
                fail(f"{options}: after a reset at the address of {instance}: {found}")
