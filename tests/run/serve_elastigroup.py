"""serve_elastigroup.py SPOTSIM SCENARIO: curl makes and drives a stateful Elastigroup of a live
`spotsim serve`, by its host's name over HTTP and over TLS."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from serve_support import Served
from support import fail, skip

spotsim, scenario = sys.argv[1:]
HOST = "api.spotinst.io"
TOKEN = "Authorization: Bearer 0123456789abcdef"
GROUP = pathlib.Path(scenario).parent / "elastigroup" / "group.json"
if not shutil.which("curl"):
    skip("curl is not installed")


def group_of(**persistence):
    group = json.loads(GROUP.read_text())
    group["group"]["strategy"]["persistence"] = persistence
    group["group"]["compute"]["launchSpecification"]["userData"] = "IyEvYmluL2Jhc2gK"
    return group


class Client:
    """curl as the operator's script calls it; `how` says where the host is."""

    def __init__(self, base, *how):
        self.base, self.how = base, how

    def call(self, method, path, body=None, token=True):
        data = [] if body is None else ["--header", "Content-Type: application/json",
                                        "--data", json.dumps(body)]
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--max-time", "20", *self.how,
             "--request", method, "--write-out", "\n%{http_code}",
             *(["--header", TOKEN] if token else []), *data,
             f"{self.base}/aws/ec2/group{path}?accountId=act-12345678"],
            capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            fail(f"curl {method} {path}: {done.stderr}")
        text, status = done.stdout.rsplit("\n", 1)
        return int(status), json.loads(text)["response"]

    def items(self, method, path, body=None):
        status, response = self.call(method, path, body)
        if status != 200:
            fail(f"{method} {path}: {status} {response}")
        return response.get("items", [])


def refuse(client):
    """The vendor's envelope, with the code and the field."""
    status, response = client.call("GET", "", token=False)
    if status != 401 or not response["errors"]:
        fail(f"without a token: {status} {response}")
    group = group_of(shouldPersistBlockDevices=True)
    group["group"]["strategy"]["risk"] = "much"
    status, response = client.call("POST", "", group)
    error = response["errors"][0]
    if status != 400 or error["field"] != "group.strategy.risk":
        fail(f"a risk that is no number: {status} {response}")
    status, response = client.call("GET", "/sig-00000000")
    if status != 400 or response["errors"][0]["code"] != "GROUP_DOESNT_EXIST":
        fail(f"a group that is not there: {status} {response}")


def stateful(client, group):
    (member,) = client.items("GET", f"/{group}/statefulInstance")
    return member


def become(served, client, group, state):
    """The stateful instance in this state, at the latest in 20 minutes."""
    for _ in range(40):
        member = stateful(client, group)
        if member["state"] == state:
            return member
        served.control("clock", {"by": "30s"})
    return fail(f"never {state}: {member}")


def drive(served, client, persistence, moves):
    """An interruption, a pause and a resume; `moves(member)` is what must follow the instance."""
    (made,) = client.items("POST", "", group_of(**persistence))
    group = made["id"]
    first = become(served, client, group, "ACTIVE")
    (running,) = client.items("GET", f"/{group}/status")
    if running["instanceId"] != first["instanceId"] or running["status"] != "fulfilled":
        fail(f"status: {running} {first}")
    served.control("clock", {"by": "6m"})  # a backup, where there are some
    served.control("interrupt", {"instance": first["instanceId"], "how": "notice"})
    served.control("clock", {"by": "5s"})
    if stateful(client, group)["state"] not in ("RECYCLE", "RECYCLING"):
        fail(f"after the notice: {stateful(client, group)}")
    second = become(served, client, group, "ACTIVE")
    if second["instanceId"] == first["instanceId"]:
        fail(f"not replaced: {second}")
    moves(first, second)
    path = f"/{group}/statefulInstance/{second['id']}"
    client.items("PUT", path + "/pause")
    become(served, client, group, "PAUSED")
    client.items("PUT", path + "/resume")
    moves(second, become(served, client, group, "ACTIVE"))
    client.items("DELETE", f"/{group}", {"statefulDeallocation": {
        "shouldDeleteImages": True, "shouldDeleteVolumes": True, "shouldDeleteSnapshots": True}})
    served.control("clock", {"by": "10m"})
    if client.call("GET", f"/{group}")[0] != 400:
        fail("a deleted group is shown")


def same_volume(first, second):
    if [d["volumeId"] for d in first["devices"]] != [d["volumeId"] for d in second["devices"]]:
        fail(f"reattach: {first['devices']} {second['devices']}")


def image_of_root(_, second):
    if second["imageId"] == "ami-0a63f3f0c7e4b2d15" or not second["devices"][0]["snapshotId"]:
        fail(f"the replacement has no image of its own: {second}")


with tempfile.TemporaryDirectory() as folder:
    ca = pathlib.Path(folder, "ca")
    with Served(spotsim, scenario, "--tls-port", "0", "--tls-folder", str(ca),
                "--speed", "manual") as served:
        plain = Client(served.url, "--header", f"Host: {HOST}")
        refuse(plain)
        drive(served, plain, {"shouldPersistBlockDevices": True, "blockDevicesMode": "reattach"},
              same_volume)
        port = served.ready["tls_url"].rsplit(":", 1)[1]
        tls = Client(f"https://{HOST}:{port}", "--cacert", str(ca / "ca.pem"),
                     "--resolve", f"{HOST}:{port}:127.0.0.1")
        drive(served, tls, {"shouldPersistRootDevice": True}, image_of_root)
