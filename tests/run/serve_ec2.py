"""EC2 and services of the query protocol, as `spotsim serve` serves them, asked by botocore's own
serializer and parser, but without its client: each answer is seen as it came."""
import http.client
import pathlib
import re
import urllib.parse

from support import skip

try:
    import botocore.loaders
    import botocore.model
    import botocore.parsers
    import botocore.serialize
except ImportError as error:
    skip(f"this python3 has no {error.name}")

def served_actions(source, service="ec2"):
    """The actions that the service's file in api/actions names."""
    rows = (pathlib.Path(source) / f"api/actions/{service}.txt").read_text().splitlines()
    return [row.split(":")[0] for row in rows if re.match(r"[A-Z]\w*:", row)]


def open_enums(source, service="ec2"):
    """The enums of the service's file with values that the model does not have."""
    rows = (pathlib.Path(source) / f"api/actions/{service}.txt").read_text().splitlines()
    return {name for row in rows if row.startswith("open ") for name in row.split()[1:]}


def newer_members(source, service="ec2"):
    """Pairs of a structure and the name of a member that the model does not have (`new` rows)."""
    rows = (pathlib.Path(source) / f"api/actions/{service}.txt").read_text()
    return set(re.findall(r"^new (\w+)\.\w+: \w+ (\S+) ", rows, re.MULTILINE))


class Refused(Exception):
    def __init__(self, code, message, status):
        super().__init__(f"{code}: {message}")
        self.code, self.status = code, status


class Service:
    """`seen(operation, status, headers, body)` is called with each answer. `protocol`: "ec2" or
    "query"; `region`: that requests are signed for."""

    def __init__(self, port, seen, name, protocol="query", region="us-west-2"):
        data = botocore.loaders.Loader().load_service_model(name, "service-2")
        self.items_of = {name: shape["locationName"] for name, shape in data["shapes"].items()
                         if shape["type"] == "list" and "locationName" in shape}
        self.model = botocore.model.ServiceModel(data, name)
        self.serializer = botocore.serialize.create_serializer(protocol, include_validation=False)
        self.parser = botocore.parsers.create_parser(protocol)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        scope = f"{region}/{self.model.signing_name}"
        self.signature = (f"AWS4-HMAC-SHA256 Credential=A/20191105/{scope}/aws4_request, "
                          "SignedHeaders=host, Signature=0")
        self.seen = seen

    def has_pages(self, action):
        return "MaxResults" in self.model.operation_model(action).input_shape.members

    def form(self, action, parameters):
        operation = self.model.operation_model(action)
        return self.serializer.serialize_to_request(parameters, operation)["body"]

    def call(self, action, more=None, **parameters):
        """What botocore reads of the answer; `more`: parameters as they are. Throws Refused."""
        operation = self.model.operation_model(action)
        form = self.form(action, parameters) | (more or {})
        self.connection.request("POST", "/", urllib.parse.urlencode(form), {
            "Content-Type": "application/x-www-form-urlencoded", "Authorization": self.signature})
        answer = self.connection.getresponse()
        body, headers = answer.read(), dict(answer.getheaders())
        self.seen(operation, answer.status, headers, body)
        found = self.parser.parse(
            {"status_code": answer.status, "headers": headers, "body": body},
            operation.output_shape)
        if answer.status != 200:
            raise Refused(found["Error"]["Code"], found["Error"]["Message"], answer.status)
        return found

    def refused(self, action, more=None, **parameters):
        """The code that the call is refused with; None where it is not."""
        try:
            self.call(action, more, **parameters)
        except Refused as error:
            return error.code
        return None


class Ec2(Service):
    def __init__(self, port, seen):
        super().__init__(port, seen, "ec2", "ec2")
