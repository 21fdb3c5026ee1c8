"""serve_shapes.py SPOTSIM SCENARIO: every answer of every action, as it comes over the wire,
against the output shape that botocore has for it; errors against EC2's form."""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

from response_shapes import Walk
from serve_ec2 import Ec2, newer_members, open_enums, served_actions
from serve_support import Served
from serve_world import World
from support import fail
from witness import REQUEST_ID

XMLNS = "http://ec2.amazonaws.com/doc/2016-11-15/"


class Ec2Walk(Walk):
    def answer(self, operation, body):
        """True where it says more than that it was done."""
        action, root = operation.name, ElementTree.fromstring(body)
        if root.tag != f"{self.xmlns}{action}Response":
            self.fault(action, root.tag, f"{self.xmlns}{action}Response")
        if not REQUEST_ID.fullmatch(root.findtext(f"{self.xmlns}requestId", "")):
            self.fault(action, root.findtext(f"{self.xmlns}requestId"), "a request ID")
        if operation.output_shape is not None:
            self.structure(root, operation.output_shape, action,
                           {self.xmlns + "requestId", "requestId"})
            return len([node for node in root.iter() if node.text]) > 1
        if [(node.tag, node.text) for node in root][1:] != [(self.xmlns + "return", "true")]:
            self.fault(action, [node.tag for node in root], "requestId and return, which is true")
        return True

    def error(self, action, status, body):
        root = ElementTree.fromstring(body)
        form = [(node.tag, len(node)) for node in root.iter()]
        if form != [("Response", 2), ("Errors", 1), ("Error", 2), ("Code", 0), ("Message", 0),
                    ("RequestID", 0)]:
            self.fault(action, form, "EC2's form of an error")
            return
        code, message, request = (root.findtext(path) for path in
                                  ("Errors/Error/Code", "Errors/Error/Message", "RequestID"))
        if not re.fullmatch(r"[A-Z][A-Za-z.]+", code or "") or not message:
            self.fault(action, (code, message), "a code and a message")
        if not REQUEST_ID.fullmatch(request or ""):
            self.fault(action, request, "a request ID")
        # EC2 API reference, "Error codes": lack of capacity is the server's fault.
        if (500 if code == "InsufficientInstanceCapacity" else 400) != status // 100 * 100:
            self.fault(action, (status, code), "a status of 4xx, or 500 for lack of capacity")


# Each breaks an answer in one way that the walk must notice: a check of the check.
BREAKS = (
    ("an element that no model knows", b"<volumeId>", b"<colour/><volumeId>"),
    ("a word for a number", b"<size>100<", b"<size>big<"),
    ("a number that is too large", b"<size>100<", b"<size>3000000000<"),
    ("a word for a truth", b"<encrypted>false<", b"<encrypted>no<"),
    ("no time", b"<createTime>2019-11-05T", b"<createTime>2019-11-05 "),
    ("a state that is none", b"<status>available<", b"<status>free<"),
    ("members of lists that are wrapped otherwise", b"item>", b"member>"),
    ("a member given twice", b"<size>100</size>", b"<size>100</size><size>100</size>"),
    ("text among elements", b"<volumeSet>", b"<volumeSet>volumes"),
    ("a scalar with elements in it", b"<size>100<", b"<size><item>100</item><"),
    ("an attribute", b"<size>", b'<size unit="GiB">'),
    ("no request ID", b"<requestId>", b"<requestId>r-"),
    ("another action's root", b"DescribeVolumesResponse", b"DescribeVolumeResponse"))


def check_that_the_walk_notices(operation, body):
    whole = Ec2Walk(XMLNS)
    whole.answer(operation, body)
    if whole.faults:
        return
    for what, good, broken in BREAKS:
        if good not in body:
            fail(f"the answer to break has no {good}: {body}")
        walk, text = Ec2Walk(XMLNS), body.replace(good, broken)
        walk.answer(operation, text)
        if not walk.faults:
            fail(f"the walk does not notice {what}: {text}")


class Witness:
    """Sees each answer: its head, and its body by a walk."""

    def __init__(self, open_names, newer):
        self.walk = Ec2Walk(XMLNS, open_names, newer)
        self.answers, self.errors = collections.Counter(), collections.Counter()
        self.full = set()
        self.breakable = None

    def __call__(self, operation, status, headers, body):
        action = operation.name
        kind = {name.lower(): value for name, value in headers.items()}.get("content-type")
        if kind != "text/xml;charset=UTF-8":
            self.walk.fault(action, kind, "text/xml;charset=UTF-8")
        if status != 200:
            self.errors[action] += 1
            self.walk.error(action, status, body)
            return
        self.answers[action] += 1
        if self.walk.answer(operation, body):
            self.full.add(action)
        if action == "DescribeVolumes" and b"<status>available<" in body and b"<tagSet>" in body:
            self.breakable = operation, body


def shapes_within(shape, found):
    if shape.type_name == "list":
        shapes_within(shape.member, found)
    elif shape.type_name == "structure" and shape.name not in found:
        found[shape.name] = shape
        for member in shape.members.values():
            shapes_within(member, found)
    return found


def report(actions, ec2, witness):
    """What was seen, and the members of answers that never were."""
    print(f"{sum(witness.answers.values())} answers and {sum(witness.errors.values())} errors of "
          f"{len(witness.answers)} actions, {witness.walk.elements} elements")
    within = {}
    for action in actions:
        output = ec2.model.operation_model(action).output_shape
        if output is not None:
            shapes_within(output, within)
    came = {name: shape for name, shape in within.items() if witness.walk.seen[name]}
    never = {name: sorted(set(shape.members) - witness.walk.seen[name])
             for name, shape in sorted(came.items())}
    print(f"{sum(len(witness.walk.seen[name]) for name in came)} members of {len(came)} structures "
          "were seen; never seen of these structures:")
    for name, members in never.items():
        if members:
            print(f"  {name}: {' '.join(members)}")
    print(f"structures never seen: {' '.join(sorted(set(within) - set(came)))}")


def errors_of_all(actions, ec2):
    for action in actions:
        if (code := ec2.refused(action, {"Colour": "red"})) != "UnknownParameter":
            fail(f"{action} with a parameter that no model knows: found {code}")
        if (code := ec2.refused(action, {"Version": "2010-01-01"})) != "NoSuchVersion":
            fail(f"{action} of another version: found {code}")
        dry = ec2.model.operation_model(action).input_shape.members.get("DryRun")
        code = ec2.refused(action, DryRun=True) if dry else "DryRunOperation"
        if code not in ("DryRunOperation", "MissingParameter"):
            fail(f"a dry run of {action}: found {code}")
    for action, parameters, code in (
            ("DescribeInstances", {"InstanceIds": ["i-x<&>"]}, "InvalidInstanceID.Malformed"),
            ("TerminateInstances", {"InstanceIds": ["i-01234567"]}, "InvalidInstanceID.NotFound"),
            ("RunInstances", {"ImageId": "ami-0123456789abcdef0", "InstanceType": "p2.xlarge",
                              "MinCount": 1, "MaxCount": 1, "InstanceMarketOptions": {
                                  "MarketType": "spot"}}, "InsufficientInstanceCapacity")):
        if (found := ec2.refused(action, **parameters)) != code:
            fail(f"{action} {parameters}: found {found}, expected {code}")


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(scenario).parent.parent
actions = served_actions(source)
witness = Witness(open_enums(source), newer_members(source))
with Served(spotsim, scenario, "--speed", "manual") as served:
    ec2 = Ec2(served.port, witness)
    witness.walk.items_of = ec2.items_of
    World(served, ec2).make()
    errors_of_all(actions, ec2)
report(actions, ec2, witness)
for fault in dict.fromkeys(re.sub(r"\[\d+\]", "[]", fault) for fault in witness.walk.faults):
    print(f"FAULT {fault}")
if witness.walk.faults:
    fail("answers are not as botocore's model has them")
if missing := set(actions) - witness.full:
    fail(f"no answer that says anything was seen of {sorted(missing)}")
if missing := set(actions) - set(witness.errors):
    fail(f"no error was seen of {sorted(missing)}")
check_that_the_walk_notices(*witness.breakable)
