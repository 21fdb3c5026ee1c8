"""The answers of S3, in headers and XML, against the output shapes that botocore has for them."""
import collections
import json
import re
import xml.etree.ElementTree as ElementTree

from response_shapes import SCALARS, TIME, Walk
from witness import Witness

XMLNS = "http://s3.amazonaws.com/doc/2006-03-01/"
# The S3 API reference names the root of each answer. No model does.
ROOTS = {
    "CompleteMultipartUpload": "CompleteMultipartUploadResult", "CopyObject": "CopyObjectResult",
    "CreateMultipartUpload": "InitiateMultipartUploadResult", "DeleteObjects": "DeleteResult",
    "GetBucketAccelerateConfiguration": "AccelerateConfiguration",
    "GetBucketAcl": "AccessControlPolicy", "GetBucketCors": "CORSConfiguration",
    "GetBucketEncryption": "ServerSideEncryptionConfiguration",
    "GetBucketLifecycleConfiguration": "LifecycleConfiguration",
    "GetBucketLocation": "LocationConstraint", "GetBucketLogging": "BucketLoggingStatus",
    "GetBucketNotificationConfiguration": "NotificationConfiguration",
    "GetBucketOwnershipControls": "OwnershipControls",
    "GetBucketRequestPayment": "RequestPaymentConfiguration", "GetBucketTagging": "Tagging",
    "GetBucketVersioning": "VersioningConfiguration", "GetBucketWebsite": "WebsiteConfiguration",
    "GetObjectAcl": "AccessControlPolicy", "GetObjectAttributes": "GetObjectAttributesResponse",
    "GetObjectTagging": "Tagging", "GetPublicAccessBlock": "PublicAccessBlockConfiguration",
    "ListBuckets": "ListAllMyBucketsResult", "ListMultipartUploads": "ListMultipartUploadsResult",
    "ListObjects": "ListBucketResult", "ListObjectsV2": "ListBucketResult",
    "ListParts": "ListPartsResult", "UploadPartCopy": "CopyPartResult"}
# The API reference has these, which the installed model lacks.
STATUS = {"PutBucketPolicy": 204}
HEADERS = {"HeadBucket": {"x-amz-bucket-region"}}
HTTP_TIME = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|"
                       r"Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT")
ETAG = re.compile(r'"[0-9a-f]{32}(-[1-9]\d*)?"')
ID = re.compile(r"[0-9A-Za-z+/=-]{16,}")
# Headers of every answer, which no model describes.
GENERAL = {"content-length", "content-type", "date", "server", "connection", "x-amz-request-id",
           "x-amz-id-2"}


def header_fits(shape, text):
    """Whether a header's text is a value of the shape."""
    if shape.type_name == "timestamp":
        iso = shape.serialization.get("timestampFormat") == "iso8601"
        return (TIME if iso else HTTP_TIME).fullmatch(text)
    if shape.name == "ETag":
        return ETAG.fullmatch(text)
    return SCALARS[shape.type_name](shape, text)


class RestXmlWitness(Witness):
    """`newer`: pairs of a structure and a header or element that only newer models have."""

    def __init__(self, open_names=frozenset(), newer=frozenset()):
        super().__init__()
        self.newer, self.walk = newer, Walk(XMLNS, open_names, newer)
        self.walk.faults = self.faults
        self.headers = collections.defaultdict(set)

    def answer(self, operation, headers, body):
        action, shape = operation.name, operation.output_shape
        members = shape.members if shape else {}
        self.ids(action, headers)
        self.status(operation, headers)
        came = self.head(operation, headers, {
            member.serialization["name"].lower(): member for member in members.values()
            if member.serialization.get("location") == "header"})
        payload = shape.serialization.get("payload") if shape else None
        if operation.http["method"] == "HEAD":
            payload, members = None, {}
        if payload and members[payload].type_name != "structure":
            return self.raw(action, members[payload], headers, body)
        if all("location" in member.serialization for member in members.values()):
            if body:
                self.fault(action, body, "no body")
            return came
        return self.document(action, members[payload] if payload else shape, headers, body) or came

    def status(self, operation, headers):
        action = operation.name
        expected = {STATUS.get(action, operation.http.get("responseCode", 200))}
        if action in ("GetObject", "HeadObject"):  # 206: of a part
            expected = {206} if "content-range" in headers else {200, 206}
        if self.code not in expected:
            self.fault(action, self.code, f"the status {expected}")

    def __call__(self, operation, status, headers, body):
        self.code = status
        super().__call__(operation, status, headers, body)

    def ids(self, action, headers):
        for name in "x-amz-request-id", "x-amz-id-2":
            if not ID.fullmatch(headers.get(name, "")):
                self.fault(action, headers.get(name), f"an ID in {name}")

    def head(self, operation, headers, known):
        """True if a member came as a header."""
        came, name_of_shape = False, getattr(operation.output_shape, "name", "")
        metadata = "Metadata" in getattr(operation.output_shape, "members", ())
        for name, text in headers.items():
            if name in known:
                came = came or name not in GENERAL
                self.headers[operation.name].add(name)
                if not header_fits(known[name], text):
                    self.fault(f"{operation.name} {name}", text, known[name].type_name)
            elif not (name in GENERAL | HEADERS.get(operation.name, set())
                      or metadata and name.startswith("x-amz-meta-")
                      or (name_of_shape, name) in self.newer):
                self.fault(operation.name, name, f"one of {sorted(known)}")
        return came

    def raw(self, action, shape, headers, body):
        """An object's bytes, or a policy."""
        if headers.get("content-length") != str(len(body)):
            self.fault(action, headers.get("content-length"), f"the length {len(body)}")
        if shape.type_name == "string":
            try:
                json.loads(body)
            except ValueError:
                self.fault(action, body, "a document in JSON")
        return bool(body)

    def document(self, action, shape, headers, body):
        if headers.get("content-type") != "application/xml":
            self.fault(action, headers.get("content-type"), "application/xml")
        if not body.startswith(b"<?xml "):
            self.fault(action, body[:20], "a declaration of XML")
        root = ElementTree.fromstring(body)
        if root.tag != f"{{{XMLNS}}}{ROOTS[action]}":
            self.fault(action, root.tag, f"{{{XMLNS}}}{ROOTS[action]}")
        if action == "GetBucketLocation":  # the member itself is the root
            self.walk.element(root, shape.members["LocationConstraint"], action)
        else:
            self.walk.structure(root, shape, action)
        return any(node.text and node.text.strip() for node in root.iter())

    def error(self, operation, status, headers, body):
        action = operation.name
        self.ids(action, headers)
        if operation.http["method"] == "HEAD" or status == 304:
            if body:
                self.fault(action, body, "no body")
            return
        if headers.get("content-type") != "application/xml":
            self.fault(action, headers.get("content-type"), "application/xml")
        root = ElementTree.fromstring(body)
        form = [node.tag for node in root]
        if root.tag != "Error" or form[:2] != ["Code", "Message"] or (
                form[-2:] != ["RequestId", "HostId"]):
            self.fault(action, [root.tag, *form], "S3's form of an error")
        elif not re.fullmatch(r"[A-Z][A-Za-z0-9]+", root[0].text or "") or not root[1].text:
            self.fault(action, (root[0].text, root[1].text), "a code and a message")
        elif root.findtext("RequestId") != headers.get("x-amz-request-id"):
            self.fault(action, root.findtext("RequestId"), headers.get("x-amz-request-id"))
        expected = [501] if root[0].text == "NotImplemented" else range(300, 500)
        if status not in expected:
            self.fault(action, status, "a status of 3xx or 4xx, or 501 for NotImplemented")
