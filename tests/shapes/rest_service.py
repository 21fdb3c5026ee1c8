"""S3 at `spotsim serve`, asked by botocore's own serializer, but without its client."""
import base64
import hashlib
import urllib.parse

from serve_ec2 import Refused, Service

from botocore.awsrequest import HeadersDict


class S3Service(Service):
    """`calls`: what was asked, so that repeat() can ask it again."""

    def __init__(self, port, seen):
        super().__init__(port, seen, "s3", "rest-xml")
        self.calls = {}

    def call(self, action, more=None, **parameters):
        """What botocore reads of the answer; `more`: further headers. Throws Refused."""
        self.calls[action] = parameters
        operation = self.model.operation_model(action)
        asked = self.serializer.serialize_to_request(parameters, operation)
        path, body = asked["url_path"], asked["body"] or b""
        if asked["query_string"]:
            path += "&" if "?" in path else "?"
            path += urllib.parse.urlencode(asked["query_string"], quote_via=urllib.parse.quote)
        headers = {"Authorization": self.signature} | asked["headers"] | (more or {})
        if operation.http_checksum or operation.http_checksum_required:
            headers["Content-MD5"] = base64.b64encode(hashlib.md5(body).digest()).decode()
        self.connection.request(asked["method"], path, body, {
            name: str(value) for name, value in headers.items()})
        answer = self.connection.getresponse()
        body, headers = answer.read(), dict(answer.getheaders())
        self.seen(operation, answer.status, headers, body)
        if answer.status >= 300:
            raise Refused(str(answer.status), body.decode(), answer.status)
        return self.parser.parse({"status_code": answer.status, "headers": HeadersDict(headers),
                                  "body": body}, operation.output_shape)

    def refuse_all(self):
        """Repeats one call of each action with a condition that does not hold."""
        for action, parameters in list(self.calls.items()):
            self.refused(action, {"x-amz-expected-bucket-owner": "111122223333"}, **parameters)
