"""An answer in XML as it comes over the wire, against the output shape that botocore has for it."""
import base64
import collections
import re
import xml.etree.ElementTree as ElementTree

from witness import REQUEST_ID, Witness

TIME = re.compile(r"\d{4}-(0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z")
NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?")
BITS = {"integer": 32, "long": 64}
XSI = "{http://www.w3.org/2001/XMLSchema-instance}"


def has_length(shape, text):
    """Whether a text has a length that the model allows. Auto Scaling's texts may be empty, too."""
    least, most = shape.metadata.get("min", 0), shape.metadata.get("max", 1 << 30)
    return not text or least <= len(text) <= most


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
    "string": lambda shape, text: (
        text in shape.enum if shape.enum else has_length(shape, text))}


# Members that AWS leaves out although its model requires them: the date of a key that was never
# used (GetAccessKeyLastUsed in IAM's API reference).
LEFT_OUT = {"AccessKeyLastUsed": {"LastUsedDate"}}


class Walk:
    """`faults`: what of an answer is not as the model has it, each with its path. `seen`: the
    members that came, by the name of their structure. `open_names`: enumerations with more values
    than the model has. `newer`: pairs of a structure and a member, or of an enumeration and a
    value, that only newer models have."""

    def __init__(self, xmlns, open_names=frozenset(), newer=frozenset()):
        self.xmlns, self.newer = f"{{{xmlns}}}", newer
        self.faults, self.seen = [], collections.defaultdict(set)
        self.elements, self.open_names, self.items_of = 0, open_names, {}

    def fault(self, path, found, expected):
        self.faults.append(f"{path}: found {found!r}, expected {expected}")

    def element(self, node, shape, path):
        self.elements += 1
        if set(node.attrib) - set(self.attributes(shape)):
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
        elif shape.name not in self.open_names and (
                (shape.name, node.text) not in self.newer) and not SCALARS[shape.type_name](
                    shape, node.text or ""):
            self.fault(path, node.text, f"{shape.type_name} {' '.join(shape.enum)}"
                       if shape.type_name == "string" else shape.type_name)

    @staticmethod
    def attributes(shape):
        """The members that are an element's attributes: a grantee's type in S3."""
        if shape.type_name != "structure":
            return {}
        return {member.serialization["name"].replace("xsi:", XSI): name
                for name, member in shape.members.items()
                if member.serialization.get("xmlAttribute")}

    def structure(self, node, shape, path, others=()):
        self.no_text(node, path)
        attributes = self.attributes(shape)
        names = {self.tag(name, member): name for name, member in shape.members.items()
                 if "location" not in member.serialization and name not in attributes.values()}
        came = collections.Counter(attributes[name] for name in node.attrib if name in attributes)
        for child in node:
            tag = child.tag.removeprefix(self.xmlns)
            if tag in others or (shape.name, tag) in self.newer:
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
        """True if the answer has content."""
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
        if shape is None:
            return False
        whole = found.get(result, ElementTree.Element(result))
        self.structure(whole, shape, action)
        return any(node.text and node.text.strip() for node in whole.iter())

    def error(self, action, status, body):
        root = ElementTree.fromstring(body)
        form = [node.tag.removeprefix(self.xmlns) for node in root.iter()]
        if form != ["ErrorResponse", "Error", "Type", "Code", "Message", "RequestId"]:
            self.fault(action, form, "the query protocol's form of an error")
        elif not 400 <= status < 500:
            self.fault(action, status, "a status of 4xx")


class QueryWitness(Witness):
    """Checks each answer of a service that speaks the query protocol."""

    def __init__(self, xmlns, open_names=frozenset(), newer=frozenset()):
        super().__init__()
        self.walk = QueryWalk(xmlns, open_names, newer)
        self.walk.faults = self.faults

    def head(self, action, headers):
        if headers.get("content-type") != "text/xml;charset=UTF-8":
            self.fault(action, headers.get("content-type"), "text/xml;charset=UTF-8")

    def answer(self, operation, headers, body):
        self.head(operation.name, headers)
        return self.walk.answer(operation, body)

    def error(self, operation, status, headers, body):
        self.head(operation.name, headers)
        self.walk.error(operation.name, status, body)
