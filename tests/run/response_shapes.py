"""An answer as it comes over the wire, against the output shape that botocore has for it."""
import base64
import collections
import re
import xml.etree.ElementTree as ElementTree

from support import fail

TIME = re.compile(r"\d{4}-(0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z")
NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?")
REQUEST_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BITS = {"integer": 32, "long": 64}
# Members that structures have in newer models than the installed one (`new` in api/actions/).
NEWER = {"Snapshot": {"fullSnapshotSizeInBytes"}}


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


# Members that AWS leaves out although its model requires them: the date of a key that was never
# used (GetAccessKeyLastUsed in IAM's API reference).
LEFT_OUT = {"AccessKeyLastUsed": {"LastUsedDate"}}


class Walk:
    """`faults`: what of an answer is not as the model has it, each with its path. `seen`: the
    members that came, by the name of their structure."""

    def __init__(self, xmlns, open_names=frozenset()):
        self.xmlns = f"{{{xmlns}}}"
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
        elif shape.type_name == "map":
            for number, entry in enumerate(node):
                self.entry(entry, shape, f"{path}[{number}]")
        elif len(node):
            self.fault(path, [child.tag for child in node], f"text, as a {shape.type_name} is")
        elif shape.name not in self.open_names and not SCALARS[shape.type_name](
                shape, node.text or ""):
            self.fault(path, node.text, f"{shape.type_name} {' '.join(shape.enum)}"
                       if shape.type_name == "string" else shape.type_name)

    def structure(self, node, shape, path, others=()):
        self.no_text(node, path)
        names = {self.tag(name, member): name for name, member in shape.members.items()}
        came = collections.Counter()
        for child in node:
            tag = child.tag.removeprefix(self.xmlns)
            if tag in others or tag in NEWER.get(shape.name, ()):
                continue
            if tag not in names:
                self.fault(path, tag, f"one of {shape.name}'s members")
                continue
            member = shape.members[names[tag]]
            flat = member.serialization.get("flattened")
            came[names[tag]] += 1
            if came[names[tag]] > 1 and not flat:
                self.fault(path, f"{tag} twice", "once")
            if flat and member.type_name == "map":
                self.entry(child, member, f"{path}.{tag}")
            else:
                self.element(child, member.member if flat else member, f"{path}.{tag}")
        self.seen[shape.name] |= set(came)
        for name in set(shape.required_members) - set(came) - LEFT_OUT.get(shape.name, set()):
            self.fault(path, "nothing", f"{name}, which is required")

    @staticmethod
    def tag(name, shape):
        """A member's element; each element of a flattened list has the name of the list's items."""
        own = shape.serialization.get("name", name)
        flat = shape.type_name == "list" and shape.serialization.get("flattened")
        return shape.member.serialization.get("name", own) if flat else own

    def list(self, node, shape, path):
        self.no_text(node, path)
        # One list has its items' name at itself, for its member's own name is elsewhere.
        item = shape.member.serialization.get("name", self.items_of.get(shape.name, "member"))
        for number, child in enumerate(node):
            if child.tag != self.xmlns + item:
                self.fault(path, child.tag, item)
            self.element(child, shape.member, f"{path}[{number}]")

    def entry(self, node, shape, path):
        """An entry of a map: its key and its value."""
        self.elements += 1
        parts = [(part.serialization.get("name", name), part)
                 for name, part in (("key", shape.key), ("value", shape.value))]
        if [child.tag.removeprefix(self.xmlns) for child in node] != [name for name, _ in parts]:
            self.fault(path, [child.tag for child in node], "a key and a value")
            return
        for child, (name, part) in zip(node, parts):
            self.element(child, part, f"{path}.{name}")

    def no_text(self, node, path):
        for text in [node.text, *(child.tail for child in node)]:
            if text and text.strip():
                self.fault(path, text, "elements alone")


class QueryWalk(Walk):
    """Of a service that speaks the query protocol."""

    def answer(self, operation, body):
        action, root = operation.name, ElementTree.fromstring(body)
        if root.tag != f"{self.xmlns}{action}Response":
            self.fault(action, root.tag, f"{self.xmlns}{action}Response")
        found = {child.tag.removeprefix(self.xmlns): child for child in root}
        request = root.findtext(f"{self.xmlns}ResponseMetadata/{self.xmlns}RequestId", "")
        if not REQUEST_ID.fullmatch(request):
            self.fault(action, request, "a request ID")
        shape = operation.output_shape
        result = shape.serialization["resultWrapper"] if shape else None
        if set(found) - {"ResponseMetadata", result}:
            self.fault(action, sorted(found), f"{result} and ResponseMetadata")
        if shape is not None:
            self.structure(found.get(result, ElementTree.Element(result)), shape, action)

    def error(self, action, status, body):
        root = ElementTree.fromstring(body)
        form = [node.tag.removeprefix(self.xmlns) for node in root.iter()]
        if form != ["ErrorResponse", "Error", "Type", "Code", "Message", "RequestId"]:
            self.fault(action, form, "the query protocol's form of an error")
        elif not 400 <= status < 500:
            self.fault(action, status, "a status of 4xx")


class QueryWitness:
    """Checks each answer of a query service, and counts the answers of each action."""

    def __init__(self, xmlns, open_names=frozenset()):
        self.walk = QueryWalk(xmlns, open_names)
        self.answers, self.errors = collections.Counter(), collections.Counter()

    def __call__(self, operation, status, headers, body):
        if status == 200:
            self.answers[operation.name] += 1
            self.walk.answer(operation, body)
        else:
            self.errors[operation.name] += 1
            self.walk.error(operation.name, status, body)

    def finish(self, actions):
        """Ends the test where an answer was not as the model has it, or an action had none."""
        for fault in dict.fromkeys(re.sub(r"\[\d+\]", "[]", fault) for fault in self.walk.faults):
            print(f"FAULT {fault}")
        if self.walk.faults:
            fail("answers are not as botocore's model has them")
        if missing := set(actions) - set(self.answers):
            fail(f"no answer was seen of {sorted(missing)}")
        print(f"{sum(self.answers.values())} answers and {sum(self.errors.values())} errors of "
              f"{len(self.answers)} actions, {self.walk.elements} elements")
