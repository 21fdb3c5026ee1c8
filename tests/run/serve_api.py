"""serve_api.py SPOTSIM SCENARIO: docs/control-api.yaml is what the served API does: every call of
it is made, and every answer keeps to its schema."""
import json
import pathlib
import subprocess
import sys
import threading
import urllib.error
import urllib.request

from serve_support import CONTROL, Served
from support import fail, skip

try:
    import jsonschema
    import yaml
except ImportError as error:
    skip(f"this python3 has no {error.name}")

spotsim, scenario = sys.argv[1:]
page = yaml.safe_load((pathlib.Path(scenario).parent.parent / "docs/control-api.yaml").read_text())
POOL = "p3.2xlarge/us-west-2b"


def resolved(node):
    """The description with what it refers to in place."""
    if isinstance(node, dict):
        if "$ref" in node:
            target = page
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            return resolved(target)
        found = {key: resolved(value) for key, value in node.items()}
        if found.get("nullable") and "type" in found:  # OpenAPI 3.0's word for it
            found["type"] = [found["type"], "null"]
        return found
    return [resolved(value) for value in node] if isinstance(node, list) else node


def call(served, body):
    urllib.request.urlopen(urllib.request.Request(served.url, body.encode(), {
        "Authorization": "AWS4-HMAC-SHA256 Credential=A/1/us-west-2/ec2/aws4_request, "
                         "SignedHeaders=host, Signature=0"}), timeout=20).read()


def launch(served):
    body = ("Action=RunInstances&Version=2016-11-15&ImageId=ami-0123456789abcdef0&MinCount=1&"
            "MaxCount=1&InstanceType=p3.2xlarge&Placement.AvailabilityZone=us-west-2b&"
            "InstanceMarketOptions.MarketType=spot")
    call(served, body)
    return served.get("instances")["instances"][0]["instance"]


def answer(served, path, headers):
    request = urllib.request.Request(served.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as found:
            return found.status, found.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def check_late_answer(served):
    """A slow answer comes when virtual time has come to it."""
    served.control("fault", {"kind": "api-slow", "action": "DescribeVpcs", "delay": "20s"})
    asks = threading.Thread(target=call, args=(served, "Action=DescribeVpcs&Version=2016-11-15"))
    asks.start()
    while '"event":"api.call","service":"ec2","action":"DescribeVpcs"' not in served.log():
        pass
    if not asks.is_alive():
        fail("a slow answer came before its time")
    served.control("clock", {"by": "20s"})
    asks.join(timeout=20)
    if asks.is_alive():
        fail("a slow answer never came")


def spotsim_has_pages():
    """Whether the build had esbuild and d3."""
    done = subprocess.run([spotsim, "serve", scenario, "--ui", "--bind", "nowhere"],
                          capture_output=True, text=True, check=False)
    return "was built without" not in done.stderr


def check_page():
    """The page, and the first event of its stream."""
    with Served(spotsim, scenario, "--speed", "manual", "--ui") as with_page:
        launch(with_page)
        if answer(with_page, "/_spotsim/ui", {})[0] != 200:
            fail("the page is not served")
        request = urllib.request.Request(f"{with_page.url}/_spotsim/stream", headers=CONTROL)
        with urllib.request.urlopen(request, timeout=20) as stream:
            kind = stream.headers["Content-Type"]
            fields = dict(stream.readline().decode().rstrip("\n").split(": ", 1) for _ in range(2))
        what = resolved(page["paths"]["/_spotsim/stream"]["get"])["responses"]["200"]["content"]
        jsonschema.validate(json.loads(fields["data"]), what[kind]["schema"])
        if list(fields) != ["id", "data"]:
            fail(f"an event of the stream has the fields {list(fields)}")
    return {(path, "get", 200) for path in ("/_spotsim/ui", "/_spotsim/stream")}


with Served(spotsim, scenario, "--speed", "manual") as served:
    instance = launch(served)
    check_late_answer(served)
    calls = [("clock", None, 200), ("clock", {"by": "5m"}, 200), ("clock", {"next": True}, 200),
             ("clock", {"by": "x"}, 400), ("clock", {"to": "2000-01-01T00:00:00Z"}, 409),
             ("interrupt", {"instance": instance, "how": "rebalance"}, 200),
             ("interrupt", {"instance": instance, "how": "rebalance"}, 409),
             ("interrupt", {"instance": "i-0", "how": "hard"}, 404),
             ("interrupt", {"instance": instance}, 400),
             ("drain", {"pool": POOL, "slots": 0, "how": "notice"}, 200),
             ("drain", {"pool": "a/b"}, 404), ("drain", {"pool": 1}, 400),
             ("price", {"pool": POOL, "price": "1.5"}, 200),
             ("price", {"pool": "a/b", "price": "1"}, 404), ("price", {"pool": POOL}, 400),
             ("fault", {"kind": "api-throttled", "action": "any", "times": 1}, 200),
             ("fault", {"kind": "rain"}, 400), ("fault", {"kind": "trainer-crash"}, 409),
             ("fault/remove", {"id": 1}, 200), ("fault/remove", {"id": 1}, 404),
             ("fault/remove", {"id": "some"}, 400), ("fault/remove", {"id": "all"}, 200),
             ("on-demand", {"pool": POOL, "slots": 0}, 200), ("on-demand", {"pool": POOL}, 200),
             ("on-demand", {"pool": "a/b"}, 404), ("on-demand", {"pool": 1}, 400),
             ("quotas", None, 200), ("quotas", {"spot_vcpus": 8, "spot_requests": "none"}, 200),
             ("quotas", {"spot_vcpus": -1}, 400),
             ("faults", None, 200), ("stream", None, 404),
             ("instances", None, 200), ("result", None, 200), ("log", None, 200),
             ("log?offset=x", None, 400), ("reset", {"all": 1}, 400), ("reset", {}, 200)]
    described = {(path, method, int(status)) for path, methods in page["paths"].items()
                 for method, what in methods.items() if method != "parameters"
                 for status in what["responses"]}
    seen = set()
    for path, body, status in calls:
        name, method = "/_spotsim/" + path.split("?")[0], "get" if body is None else "post"
        found, text = served.control(path, body)
        if found != status:
            fail(f"{method} {path} {body}: found {found} {text}, expected {status}")
        seen.add((name, method, status))
        if (name, method, status) not in described:
            fail(f"{method} {path} {body} is answered {status}, which the page does not say")
        what = resolved(page["paths"][name][method])
        content = what["responses"][str(status)].get("content", {})
        if "application/json" in content:
            jsonschema.validate(json.loads(text), content["application/json"]["schema"])
        if body is not None:
            sent = what["requestBody"]["content"]["application/json"]["schema"]
            keeps = jsonschema.Draft7Validator(sent).is_valid(body)
            if keeps != (status != 400) and body not in ({"by": "x"}, {"kind": "rain"}):
                fail(f"{path} {body}: the schema says {keeps}, the service {status}")
        if served.control(path, body, headers={})[0] != 403:
            fail(f"{method} {path} {body}: a call without X-Spotsim-Control is answered")
        seen.add((name, method, 403))
    for path, status in [("/_spotsim/ui", 404), ("/metrics", 200)]:
        for headers, expected in [({}, status), ({"Host": "evil.example"}, 403)]:
            if (found := answer(served, path, headers)[0]) != expected:
                fail(f"{path} with {headers}: found {found}, expected {expected}")
            seen.add((path, "get", expected))
    if spotsim_has_pages():
        seen |= check_page()
    else:
        seen |= {(path, "get", 200) for path in ("/_spotsim/ui", "/_spotsim/stream")}
    if described - seen:
        fail(f"never asked for: {sorted(described - seen)}")
