"""fallback.py SPOTSIM SCENARIO: `spotsim serve --fallback` passes calls of services that it does
not have to another endpoint, unchanged, and answers all others itself."""
import contextlib
import http.server
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request

from server import installed_moto, moto_server
from serve_support import Served
from support import expect, fail

spotsim, scenario = sys.argv[1:]
SIGNED = ("AWS4-HMAC-SHA256 Credential=A/1/us-west-2/{}/aws4_request, SignedHeaders=host, "
          "Signature=0")


class Other(http.server.BaseHTTPRequestHandler):
    """Remembers what arrives, and answers with headers and bytes of its own."""

    protocol_version = "HTTP/1.1"
    seen = []

    def answer(self):
        length = int(self.headers.get("Content-Length", 0))
        self.seen.append((self.command, self.path, self.headers.items(), self.rfile.read(length)))
        body = b'{"StreamNames":\x00["other"]}'
        self.send_response(418)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("x-amzn-RequestId", "of-the-other")
        self.send_header("Set-Cookie", "a=1")
        self.send_header("Set-Cookie", "b=2")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def other_endpoint():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def call(served, service, method="POST", path="/", body=b"", **headers):
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    if service:
        named["Authorization"] = SIGNED.format(service)
    request = urllib.request.Request(served.url + path, body or None, named, method=method)
    try:
        with urllib.request.urlopen(request, timeout=80) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def passed_on(served):
    return [json.loads(line) for line in served.log().splitlines()
            if json.loads(line)["event"] == "api.passed-on"]


def check_unchanged(served, url):
    path = "/2015-03-31/functions/a%2Fb/?Marker=x%20y&Empty="
    status, headers, body = call(
        served, "lambda", "PUT", path, b"\x00\xff body", Content_Type="application/x-own",
        X_Amz_Date="20250101T000000Z", X_Empty="", User_Agent="client/1")
    expect((status, body), (418, b'{"StreamNames":\x00["other"]}'), "the other endpoint's answer")
    expect(headers["x-amzn-RequestId"], "of-the-other", "its header")
    expect(headers.get_all("Set-Cookie"), ["a=1", "b=2"], "its cookies")
    method, target, got, content = Other.seen.pop()
    expect((method, target, content), ("PUT", path, b"\x00\xff body"), "the request")
    got = {name.lower(): text for name, text in got}
    for name, text in {"host": served.url.removeprefix("http://"), "user-agent": "client/1",
                       "content-type": "application/x-own", "x-amz-date": "20250101T000000Z",
                       "x-empty": "", "authorization": SIGNED.format("lambda")}.items():
        expect(got.get(name), text, f"the header {name}")
    expect([name for name in got if name in ("accept", "expect", "transfer-encoding")], [],
           "headers that the client did not send")
    (event,) = passed_on(served)
    expect({key: event[key] for key in ("service", "action", "endpoint", "status")},
           {"service": "lambda", "action": "PUT /2015-03-31/functions/a%2Fb/", "endpoint": url,
            "status": 418}, "the event")


def check_forms(served):
    """Of unsigned requests, and methods without a body."""
    call(served, "", body=b"{}", X_Amz_Target="AWSCognitoIdentityProviderService.SignUp")
    expect(call(served, "kinesis", "HEAD")[0], 418, "HEAD")
    call(served, "", "GET", Host="lambda.us-west-2.amazonaws.com")
    call(served, "rds", body=b"Action=DescribeDBInstances&Version=2014-10-31",
         Content_Type="application/x-www-form-urlencoded")
    expect([(event["service"], event["action"]) for event in passed_on(served)[1:]],
           [("AWSCognitoIdentityProviderService", "SignUp"), ("kinesis", "HEAD /"),
            ("lambda", "GET /"), ("rds", "DescribeDBInstances")], "what was passed on")


def check_own(served):
    """Services of spotsim, also where it lacks the action, and what names no service."""
    Other.seen.clear()
    before = len(passed_on(served))
    form = {"Content_Type": "application/x-www-form-urlencoded"}
    for service in ("ec2", "sts", "sqs", "iam", "sns", "autoscaling", "cloudformation"):
        call(served, service, body=b"Action=NoSuchAction&Version=1", **form)
    for target in ("Logs_20140328.NoSuch", "AmazonSSM.NoSuch", "SageMaker.NoSuch",
                   "AWSEvents.NoSuch", "AmazonEC2ContainerRegistry_V20150921.NoSuch"):
        call(served, "", body=b"{}", X_Amz_Target=target)
    call(served, "s3", "GET", "/bucket/key?nosuch")
    call(served, "", "GET", "/bucket/key")
    call(served, "", "GET", "/", Host="bucket.s3.us-west-2.amazonaws.com")
    call(served, "", "GET", "/latest/meta-data/")
    call(served, "", "GET", "/metrics")
    call(served, "", "POST", "/", Authorization="AWS4-HMAC-SHA256 Credential=x")
    expect((Other.seen, len(passed_on(served))), ([], before), "calls that went elsewhere")


def check_nobody():
    """Nothing listens on port 1."""
    with Served(spotsim, scenario, "--fallback", "http://127.0.0.1:1/") as served:
        status, _, body = call(served, "kinesis", body=b"{}", X_Amz_Target="Kinesis_1.ListStreams",
                               Content_Type="application/x-amz-json-1.1")
        error = json.loads(body)
        expect((status, error["__type"]), (502, "BadGateway"), "without the other endpoint")
        for part in ("'kinesis'", "http://127.0.0.1:1 (--fallback)"):
            if part not in str(error):
                fail(f"without the other endpoint: found {error}, expected {part} in it")
        (event,) = passed_on(served)
        if event["status"] is not None or not event["error"]:
            fail(f"without the other endpoint: found {event}, expected no status and an error")
        expect(call(served, "ec2", body=b"Action=DescribeVpcs&Version=2016-11-15",
                    Content_Type="application/x-www-form-urlencoded")[0], 200, "a later call")


def check_options():
    for options, why in ((["http://localhost:5001/path"], "expected a URL such as"),
                         (["localhost:5001"], "expected a URL such as"),
                         (["http://127.0.0.1:5000"], "another endpoint than spotsim's own"),
                         (["http://localhost:5001", "--state", "file"], "--state repeats calls")):
        done = subprocess.run([spotsim, "serve", scenario, "--fallback", *options],
                              capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 2 or why not in done.stderr:
            fail(f"--fallback {options}: found {done.returncode} {done.stderr}, expected {why}")


def check_moto():
    """boto3 creates a stream at moto, and a volume here."""
    program, why = installed_moto()
    try:
        import boto3
    except ImportError:
        program, why = None, "this python3 has no boto3"
    if not program:
        print(f"skipped moto: {why}")
        return
    with moto_server(program) as url, Served(spotsim, "--fallback", url) as served:
        clients = [boto3.client(name, endpoint_url=served.url, region_name="us-west-2",
                                aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")
                   for name in ("kinesis", "ec2")]
        clients[0].create_stream(StreamName="steps", ShardCount=1)
        expect(clients[0].list_streams()["StreamNames"], ["steps"], "moto's streams")
        clients[1].create_volume(AvailabilityZone="us-west-2a", Size=8)
        expect([event["action"] for event in passed_on(served)], ["CreateStream", "ListStreams"],
               "what went to moto")


with other_endpoint() as other:
    with Served(spotsim, scenario, "--fallback", other) as it:
        check_unchanged(it, other)
        check_forms(it)
        check_own(it)
        it.stop()
check_nobody()
check_options()
check_moto()
