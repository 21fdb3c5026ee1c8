"""serve_shapes.py SPOTSIM SCENARIO: every answer of every action, as it comes over the wire,
against the output shape that botocore has for it; errors against EC2's form."""
import base64
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

from serve_ec2 import Ec2, open_enums, served_actions
from serve_support import Served
from serve_world import World
from support import fail

XMLNS = "{http://ec2.amazonaws.com/doc/2016-11-15/}"
TIME = re.compile(r"\d{4}-(0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z")
NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?")
REQUEST_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BITS = {"integer": 32, "long": 64}


def integer(shape, text):
    bits = BITS[shape.type_name]
    return re.fullmatch(r"0|-?[1-9]\d*", text) and -2**(bits - 1) <= int(text) < 2**(bits - 1)


def blob(_, text):
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        return False
    return True


SCALARS = {
    "integer": integer, "long": integer, "blob": blob,
    "double": lambda _, text: NUMBER.fullmatch(text),
    "float": lambda _, text: NUMBER.fullmatch(text),
    "boolean": lambda _, text: text in ("true", "false"),
    "timestamp": lambda _, text: TIME.fullmatch(text),
    "string": lambda shape, text: not shape.enum or text in shape.enum}


class Walk:
    """`faults`: what of an answer is not as the model has it, each with its path. `seen`: the
    members that came, by the name of their structure."""

    def __init__(self, open_names=frozenset()):
        self.faults, self.seen = [], collections.defaultdict(set)
        self.elements, self.open_names, self.items_of = 0, open_names, {}

    def fault(self, path, found, expected):
        self.faults.append(f"{path}: found {found!r}, expected {expected}")

    def element(self, node, shape, path):
        self.elements += 1
        if node.attrib:
            self.fault(path, node.attrib, "no attributes")
        if shape.type_name == "structure":
            self.structure(node, shape, path)
        elif shape.type_name == "list":
            self.list(node, shape, path)
        elif len(node):
            self.fault(path, [child.tag for child in node], f"text, as a {shape.type_name} is")
        elif shape.name not in self.open_names and not SCALARS[shape.type_name](
                shape, node.text or ""):
            self.fault(path, node.text, f"{shape.type_name} {' '.join(shape.enum)}"
                       if shape.type_name == "string" else shape.type_name)

    def structure(self, node, shape, path, others=()):
        self.no_text(node, path)
        names = {member.serialization.get("name", name): name
                 for name, member in shape.members.items()}
        came = collections.Counter()
        for child in node:
            tag = child.tag.removeprefix(XMLNS)
            if tag in others:
                continue
            if tag not in names:
                self.fault(path, tag, f"one of {shape.name}'s members")
                continue
            member = shape.members[names[tag]]
            flat = member.serialization.get("flattened")
            came[names[tag]] += 1
            if came[names[tag]] > 1 and not flat:
                self.fault(path, f"{tag} twice", "once")
            self.element(child, member.member if flat else member, f"{path}.{tag}")
        self.seen[shape.name] |= set(came)
        for name in set(shape.required_members) - set(came):
            self.fault(path, "nothing", f"{name}, which is required")

    def list(self, node, shape, path):
        self.no_text(node, path)
        # One list has its items' name at itself, for its member's own name is elsewhere.
        item = shape.member.serialization.get("name", self.items_of.get(shape.name, "member"))
        for number, child in enumerate(node):
            if child.tag != XMLNS + item:
                self.fault(path, child.tag, item)
            self.element(child, shape.member, f"{path}[{number}]")

    def no_text(self, node, path):
        for text in [node.text, *(child.tail for child in node)]:
            if text and text.strip():
                self.fault(path, text, "elements alone")

    def answer(self, operation, body):
        """True where it says more than that it was done."""
        action, root = operation.name, ElementTree.fromstring(body)
        if root.tag != f"{XMLNS}{action}Response":
            self.fault(action, root.tag, f"{XMLNS}{action}Response")
        if not REQUEST_ID.fullmatch(root.findtext(f"{XMLNS}requestId", "")):
            self.fault(action, root.findtext(f"{XMLNS}requestId"), "a request ID")
        if operation.output_shape is not None:
            self.structure(root, operation.output_shape, action, {XMLNS + "requestId", "requestId"})
            return len([node for node in root.iter() if node.text]) > 1
        if [(node.tag, node.text) for node in root][1:] != [(XMLNS + "return", "true")]:
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
    whole = Walk()
    whole.answer(operation, body)
    if whole.faults:
        return
    for what, good, broken in BREAKS:
        if good not in body:
            fail(f"the answer to break has no {good}: {body}")
        walk, text = Walk(), body.replace(good, broken)
        walk.answer(operation, text)
        if not walk.faults:
            fail(f"the walk does not notice {what}: {text}")


class Witness:
    """Sees each answer: its head, and its body by a walk."""

    def __init__(self, open_names):
        self.walk = Walk(open_names)
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
witness = Witness(open_enums(source))
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
