"""Random values of botocore's shapes, limited to those that the protocol can express."""
import datetime
import json
import string

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
WORDS = ["a", "Zürich & <co>", "x=1&y=2", "50%", "two words", "日本", "plus+", 'q"uote', "tab\tnl\n",
         "it's", "/a//b", "back\\slash", "😀"]
NESTED = ("structure", "list", "map")


class Maker:
    """`reads(shape, member)`: for a request, whether a handler reads that member; None for a
    response, which may have all members."""

    def __init__(self, rng, protocol, reads):
        self.rng, self.protocol, self.reads = rng, protocol, reads
        self.request = reads is not None
        self.form = self.request and protocol in ("ec2", "query")

    def value(self, shape, depth=0, plain=False):
        """`plain`: of letters and digits only, as all paths and headers can carry."""
        return getattr(self, shape.type_name, self.string)(shape, depth, plain)

    def members(self, shape):
        return [(name, member) for name, member in shape.members.items()
                if (not self.request or self.reads(shape.name, name))
                and self.can_be_said(member) and name != "ContentLength"]  # the HTTP library's

    def can_be_said(self, shape):
        """A form cannot express a structure without a member that is read."""
        while shape.type_name == "list":
            shape = shape.member
        return not self.form or shape.type_name != "structure" or bool(self.members(shape))

    def structure(self, shape, depth, plain):
        out = {}
        for name, member in self.members(shape):
            location = member.serialization.get("location")
            is_required = name in shape.required_members or self.is_whole_body(shape, name)
            if not is_required and self.is_left_out(member, depth):
                continue
            must_be_plain = plain or location or member.serialization.get("xmlAttribute")
            value = self.value(member, depth + 1, must_be_plain)
            out[name] = value or "x" if location == "uri" else value
        if not out and self.form and depth > 0:  # a form cannot say it empty
            name, member = min(self.members(shape), key=lambda row: row[1].type_name in NESTED)
            out[name] = self.value(member, depth + 1)
        return out

    def is_whole_body(self, shape, name):
        """A text that is the body of a response. A body cannot express that there is none."""
        return (not self.request and name == shape.serialization.get("payload")
                and shape.members[name].type_name == "string")

    def is_left_out(self, member, depth):
        if depth > 9 and member.type_name in NESTED:
            return True
        return self.rng.random() > (0.7 if depth < 2 else 0.45 if depth < 4 else 0.15)

    def list(self, shape, depth, plain):
        low = shape.metadata.get("min", 0)
        if depth > 9:
            count = low
        else:
            count = max(low, self.rng.choice([0, 1, 2, 11] if depth < 3 else [0, 1, 2]))
        count = min(count, shape.metadata.get("max", 99))
        return [self.value(shape.member, depth + 1, plain)
                for _ in range(count or (0 if self.empty_can_be_said(shape) else 1))]

    def empty_can_be_said(self, shape):
        if shape.serialization.get("location") in ("header", "querystring"):
            return False
        if self.request and self.protocol == "ec2":
            return False
        is_flat = shape.serialization.get("flattened")
        return not is_flat or (self.request and self.protocol == "query")

    def map(self, shape, depth, plain):
        location = shape.serialization.get("location")
        letters = lambda: "k" + "".join(self.rng.choices(string.ascii_lowercase, k=4))
        names = lambda: self.rng.choice(shape.key.enum)
        key = names if shape.key.enum and not location else letters
        keys = sorted({key() for _ in range(self.rng.choice([1, 2, 3]))})
        return {key: self.value(shape.value, depth + 1, plain or location) for key in keys}

    def string(self, shape, depth, plain):
        if shape.metadata.get("enum"):
            return self.rng.choice(shape.metadata["enum"])
        if shape.serialization.get("jsonvalue"):
            return json.dumps({"a": 1})
        letters = string.ascii_letters + string.digits
        text = ("".join(self.rng.choices(letters, k=self.rng.randint(1, 12))) if plain
                else self.rng.choice(WORDS))
        low, high = shape.metadata.get("min", 0), shape.metadata.get("max", 40)
        return (text + "x" * (low - len(text)))[:high]

    def blob(self, shape, depth, plain):
        count = max(self.rng.randint(1, 9), shape.metadata.get("min", 0))
        return bytes(self.rng.randrange(256) for _ in range(count))

    def boolean(self, shape, depth, plain):
        return self.rng.random() < 0.5

    def whole(self, shape, low, high):
        return self.rng.randint(int(shape.metadata.get("min", low)),
                                int(shape.metadata.get("max", high)))

    def integer(self, shape, depth, plain):
        return self.whole(shape, -2**31, 2**31 - 1)

    def long(self, shape, depth, plain):
        return self.whole(shape, -2**62, 2**62)

    def double(self, shape, depth, plain):
        low, high = shape.metadata.get("min", -1000), shape.metadata.get("max", 1000)
        return float(max(low, min(high, self.rng.randint(-4000, 4000) / 4)))

    float = double

    def timestamp(self, shape, depth, plain):
        return EPOCH + datetime.timedelta(seconds=self.rng.randint(0, 4 * 10**9))
