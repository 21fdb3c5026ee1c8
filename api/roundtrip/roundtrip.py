#!/usr/bin/python3
"""Random requests and responses of every action between botocore and the codecs.

    roundtrip.py HARNESS --models BOTOCORE_DATA --actions FOLDER… [--rounds N] [--only TEXT]

A request: botocore serializes it, the harness (harness.cpp) reads it and writes it again; the
values and the wire must come back equal. A response: the harness writes it, and botocore's parser
and our own client must read what was meant. Exit status 1 at any difference, 77 without
botocore."""
import argparse
import base64
import collections
import contextlib
import datetime
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import types
import urllib.parse
from xml.etree import ElementTree

try:
    import botocore
    import botocore.awsrequest
    import botocore.handlers
    import botocore.loaders
    import botocore.model
    import botocore.parsers
    import botocore.serialize
except ImportError:
    print("skipped: python3-botocore is not installed")
    sys.exit(77)

from random_values import EPOCH, Maker

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import generate

# A whole second has a fraction or none; botocore before 1.33 writes True in headers.
WHOLE_SECOND = re.compile(r"^(\d{4}-\d\d-\d\dT.*)\.000Z$")


def alike(text):
    return {"True": "true", "False": "false"}.get(text, WHOLE_SECOND.sub(r"\1Z", text))


def plain(shape, value):
    """A value of botocore's in the plain JSON style."""
    kind = shape.type_name
    if kind == "structure":
        return {name: plain(shape.members[name], one) for name, one in value.items()
                if name in shape.members}
    if kind == "list":
        return [plain(shape.member, one) for one in value]
    if kind == "map":
        return {key: plain(shape.value, one) for key, one in value.items()}
    if kind == "blob":
        return base64.b64encode(value if isinstance(value, bytes) else value.read()).decode()
    if kind == "timestamp":
        ms = round((value - EPOCH).total_seconds() * 1000)
        time = EPOCH + datetime.timedelta(seconds=ms // 1000)
        return f"{time:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03}Z"
    return value


def xml(node):
    return [node.tag, sorted(node.attrib.items()), alike(node.text or ""),
            sorted(map(xml, node), key=str)]


def wire(protocol, request):
    """The parts of a request that must be equal."""
    body, query = request["body"], urllib.parse.parse_qsl(request["query"], keep_blank_values=True)
    if protocol in ("ec2", "query"):
        form = urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True)
        body = sorted((name, alike(value)) for name, value in form)
    elif protocol.endswith("json"):
        with contextlib.suppress(ValueError):  # an object's bytes
            body = json.loads(body) if body else None
    elif body[:1] == b"<":
        with contextlib.suppress(ElementTree.ParseError):
            body = xml(ElementTree.fromstring(body))
    return {"method": request["method"], "path": urllib.parse.unquote(request["path"]),
            "query": sorted((name, alike(value)) for name, value in query), "body": body,
            "headers": {key.lower(): alike(value) for key, value in request["headers"].items()}}


def first_difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({**a, **b}):
            if a.get(key) != b.get(key):
                return first_difference(a.get(key), b.get(key), f"{path}.{key}")
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for at, (x, y) in enumerate(zip(a, b)):
            if x != y:
                return first_difference(x, y, f"{path}[{at}]")
    return f"{path}: {str(a)[:150]!r} became {str(b)[:150]!r}"


class Different(Exception):
    pass


def same(what, meant, found):
    if meant != found:
        raise Different(f"{what} {first_difference(meant, found)}")


class Harness:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Different(f"refused with {answer['error']}")
        return answer


def sent_by_botocore(protocol, operation, value):
    serializer = botocore.serialize.create_serializer(protocol, False)
    made = serializer.serialize_to_request(value, operation)
    made["context"] = {}
    botocore.awsrequest.prepare_request_dict(made, endpoint_url="http://localhost")
    request = botocore.awsrequest.create_request_object(made).prepare()
    body, url = request.body or b"", urllib.parse.urlsplit(request.url)
    headers = {key: value.decode() if isinstance(value, bytes) else value
               for key, value in request.headers.items()
               if key.lower() not in ("content-length", "host")}
    return {"method": request.method, "path": url.path, "query": url.query, "headers": headers,
            "body": body.encode() if isinstance(body, str) else body}


def try_request(harness, service, operation, rng):
    protocol, shape = service.protocol, operation.input_shape
    value = Maker(rng, protocol, service.reads).value(shape) if shape else {}
    sent = sent_by_botocore(protocol, operation, value)
    body = base64.b64encode(sent["body"]).decode()
    answer = harness.ask(service=service.name, **{**sent, "body": body})
    same("was routed to", operation.name, answer["action"])
    same("was read as", plain(shape, value) if shape else {}, answer["value"])
    again = {**answer["again"], "body": base64.b64decode(answer["again"]["body"])}
    same("was written as", wire(protocol, sent), wire(protocol, again))


def read_by_botocore(protocol, operation, answer, is_raw):
    body, shape = base64.b64decode(answer["body"]), operation.output_shape
    response = {"status_code": answer["status"], "body": io.BytesIO(body) if is_raw else body,
                "headers": botocore.awsrequest.HeadersDict(answer["headers"])}
    parsed = botocore.parsers.create_parser(protocol).parse(response, shape)
    if operation.name == "GetBucketLocation":  # no parser of models can read it
        http = types.SimpleNamespace(raw=body, content=body)
        botocore.handlers.parse_get_bucket_location(parsed, http)
        if parsed["LocationConstraint"] is None:
            del parsed["LocationConstraint"]
    parsed.pop("ResponseMetadata", None)
    return plain(shape, parsed)


def try_response(harness, service, operation, rng):
    shape = operation.output_shape
    value = Maker(rng, service.protocol, None).value(shape)
    for name, member in shape.members.items():
        if member.serialization.get("location") == "statusCode":
            value[name] = 200
    payload = shape.serialization.get("payload")
    is_raw = payload is not None and shape.members[payload].type_name == "blob"
    if is_raw:
        value.setdefault(payload, b"x")  # none and an empty one are the same
    meant = plain(shape, value)
    answer = harness.ask(service=service.name, action=operation.name, value=meant)
    same("was read by our client as", meant, answer["again"])
    parsed = read_by_botocore(service.protocol, operation, answer, is_raw)
    for name, member in shape.members.items():  # botocore makes these up where there are none
        is_made_up = name == payload or member.serialization.get("location") == "headers"
        if is_made_up and parsed.get(name) == {}:
            parsed.pop(name)
            meant.pop(name, None)
    same("was read by botocore as", meant, parsed)


def try_service(harness, loader, path, models, only, rounds):
    """The number of equal messages by kind, and the different ones."""
    support = generate.Support(path)
    model = generate.Model(models, support)
    service = types.SimpleNamespace(name=path.stem, protocol=model.protocol, reads=None)
    service.reads = lambda shape, member: model.reads(shape, member) == "kRead"
    botocores = botocore.model.ServiceModel(loader.load_service_model(path.stem, "service-2"),
                                            path.stem)
    equal, different = collections.Counter(), []
    for action in sorted(support.actions):
        operation = botocores.operation_model(action)
        attempts = [("request", try_request)]
        attempts += [("response", try_response)] if operation.output_shape else []
        for kind, attempt in attempts:
            for number in range(rounds):
                name = f"{path.stem} {action} {kind} {number}"
                if only and only not in name:
                    continue
                try:
                    attempt(harness, service, operation, random.Random(name))
                    equal[kind] += 1
                except Different as difference:
                    different.append(f"{name} {difference}")
    print(f"{path.stem} ({model.protocol}): {len(support.actions)} actions, equal: "
          f"{equal['request']} requests, {equal['response']} responses")
    return equal, different


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness")
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--actions", required=True, type=pathlib.Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", help="messages with this in their name: 's3 PutObject request 3'")
    arguments = parser.parse_args()
    harness = Harness(arguments.harness)
    loader = botocore.loaders.Loader([str(arguments.models)], include_default_search_paths=False)
    all_different = []
    for path in sorted(path for folder in arguments.actions for path in folder.glob("*.txt")):
        equal, different = try_service(harness, loader, path, arguments.models, arguments.only,
                                       arguments.rounds)
        if not different and not arguments.only and not (equal["request"] and equal["response"]):
            different = [f"{path.stem}: nothing was tried"]
        all_different += different
    print("\n".join(what[:500] for what in all_different) or f"botocore {botocore.__version__}")
    sys.exit(1 if all_different else 0)


if __name__ == "__main__":
    main()
