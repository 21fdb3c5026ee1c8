"""Compares the JSON answers of a service with the output shapes that botocore has for them."""
import base64
import json
import re

from witness import REQUEST_ID, Witness

TYPES = {"string": str, "boolean": bool, "integer": int, "long": int, "timestamp": (int, float),
         "double": (int, float), "float": (int, float), "blob": str, "list": list, "map": dict,
         "structure": dict}
BITS = {"integer": 32, "long": 64}


def is_scalar(value, shape):
    """Whether a value that JSON may hold is one of this shape."""
    if shape.type_name in BITS:
        return -2**(BITS[shape.type_name] - 1) <= value < 2**(BITS[shape.type_name] - 1)
    if shape.type_name == "blob":
        try:
            base64.b64decode(value, validate=True)
        except ValueError:
            return False
    return shape.type_name not in ("string", "list") or (
        shape.metadata.get("min", 0) <= len(value) <= shape.metadata.get("max", 1 << 30))


def faults(value, shape, path, newer=()):
    """The parts of a value that differ from its shape, each with its path. `newer`: pairs of a
    structure and a member that only newer models have."""
    kind = shape.type_name
    if not isinstance(value, TYPES[kind]) or isinstance(value, bool) != (kind == "boolean") or (
            not is_scalar(value, shape)):
        return [f"{path}: found {value!r}, expected {kind} {shape.metadata or ''}"]
    if kind == "list":
        return [fault for number, each in enumerate(value)
                for fault in faults(each, shape.member, f"{path}[{number}]", newer)]
    if kind == "map":
        return [fault for key, each in value.items()
                for fault in (faults(key, shape.key, f"{path} key", newer)
                              + faults(each, shape.value, f"{path}.{key}", newer))]
    if kind != "structure":
        known = getattr(shape, "enum", None) or [value]
        return [] if value in known else [f"{path}: found {value!r}, expected one of {known}"]
    found = [f"{path}.{name}: unknown" for name in set(value) - set(shape.members)
             if (shape.name, name) not in newer]
    found += [f"{path}.{name}: missing" for name in set(shape.required_members) - set(value)]
    for name in set(value) & set(shape.members):
        found += faults(value[name], shape.members[name], f"{path}.{name}", newer)
    return found


class JsonWitness(Witness):
    """`content_type` of answers: AWS's JSON has the type of the request."""

    def __init__(self, content_type="application/x-amz-json-1.1", newer=()):
        super().__init__()
        self.content_type, self.newer = content_type, newer

    def head(self, action, headers, body):
        if body and headers.get("content-type") != self.content_type:
            self.fault(action, headers.get("content-type"), self.content_type)
        if not REQUEST_ID.fullmatch(headers.get("x-amzn-requestid", "")):
            self.fault(action, headers.get("x-amzn-requestid"), "a request ID")

    def answer(self, operation, headers, body):
        self.head(operation.name, headers, body)
        found, shape = json.loads(body or b"{}"), operation.output_shape
        if shape is None:
            if found:
                self.fault(operation.name, found, "nothing")
            return False
        self.faults += faults(found, shape, operation.name, self.newer)
        return any(value not in ([], {}, "") for value in found.values())

    def error(self, operation, status, headers, body):
        """The code is in the body, or in a header if the protocol is REST."""
        self.head(operation.name, headers, body)
        found = json.loads(body)
        rest = self.content_type == "application/json"
        code = headers.get("x-amzn-errortype", "") if rest else found.get("__type", "")
        if not re.fullmatch(r"([a-z.0-9]+#)?[A-Z][A-Za-z.]+", code):
            self.fault(operation.name, (code, found), "an error's code")
        texts = [value for name, value in found.items() if name.lower() == "message"]
        if len(texts) != 1 or not isinstance(texts[0], str) or not texts[0]:
            self.fault(operation.name, found, "a message")
        if not 400 <= status < 500:
            self.fault(operation.name, status, "a status of 4xx")
