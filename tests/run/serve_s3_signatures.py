"""serve_s3_signatures.py SPOTSIM SCENARIO: with `spotsim serve --iam`, S3's presigned URLs and
forms of both versions, and uploads in signed chunks, need right signatures and permissions."""
import hashlib
import hmac
import json
import re
import sys
import time
import urllib.error
import urllib.request

from serve_support import Served
from support import expect, fail

try:
    import boto3
    import botocore.auth
    import botocore.awsrequest
    import botocore.config
    import botocore.credentials
except ImportError:
    print("skipped: boto3 is not installed")
    sys.exit(77)

KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


def sent(url, data=None, method=None, headers=None):
    """The body of a good answer, else S3's code and message."""
    try:
        with urllib.request.urlopen(urllib.request.Request(
                url, data, headers or {}, method=method), timeout=20) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        return tuple(re.search(f"<{name}>(.*)</{name}>", text).group(1)
                     for name in ("Code", "Message"))


def client(url, service, key=KEY, secret=SECRET, **config):
    return boto3.client(service, endpoint_url=url, region_name="us-west-2",
                        aws_access_key_id=key, aws_secret_access_key=secret,
                        config=botocore.config.Config(**config))


MISMATCH = ("SignatureDoesNotMatch", "The request signature we calculated does not match the "
            "signature you provided. Check your key and signing method.")


def presigned_urls(served, keys, version):
    s3 = client(served.url, "s3", *keys, signature_version=version)
    wrong = client(served.url, "s3", keys[0], "wrong", signature_version=version)
    own, other = ({"Bucket": "data", "Key": key} for key in ("own/a b+ü", "other"))
    put = s3.generate_presigned_url("put_object", Params=own)
    expect(sent(put, b"1", "PUT", {"Content-Type": ""} if version == "s3" else {}), b"",
           f"{version}: PUT")
    get = s3.generate_presigned_url("get_object", Params=own, ExpiresIn=60)
    expect(sent(get), b"1", f"{version}: GET")
    expect(sent(get, method="DELETE"), MISMATCH, f"{version}: another method")
    expect(sent(get.replace("own/", "own/x")), MISMATCH, f"{version}: another key")
    expect(sent(wrong.generate_presigned_url("get_object", Params=own)), MISMATCH,
           f"{version}: a wrong secret")
    expect(sent(s3.generate_presigned_url("get_object", Params=other))[0], "AccessDenied",
           f"{version}: without permission")
    shown = s3.generate_presigned_url(
        "get_object", Params=own | {"ResponseContentType": "text/plain"}, ExpiresIn=60)
    expect(sent(shown), b"1", f"{version}: with a signed parameter")
    expect(sent(shown.replace("text%2Fplain", "text%2Fhtml")), MISMATCH,
           f"{version}: another parameter")
    return get


def forms(served, keys, version):
    s3 = client(served.url, "s3", *keys, signature_version=version)

    def post(key, fields=(), **more):
        form = s3.generate_presigned_post("data", key, **more)
        body = b""
        for name, value in (form["fields"] | dict(fields)).items():
            body += (f"--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n"
                     f"{value}\r\n").encode()
        body += (b"--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"
                 b"formed\r\n--B--\r\n")
        return sent(form["url"], body, "POST",
                    {"Content-Type": "multipart/form-data; boundary=B"})

    expect(post(f"own/{version}"), b"", f"{version}: a form")
    stored = client(served.url, "s3", *keys).get_object(Bucket="data", Key=f"own/{version}")
    expect(stored["Body"].read(), b"formed", f"{version}: the form's file")
    expect(post("other")[0], "AccessDenied", f"{version}: a form without permission")
    name = "signature" if version == "s3" else "x-amz-signature"
    expect(post("own/c", {name: "0" * 64}), MISMATCH, f"{version}: a spoiled form")
    expect(post("own/c", Conditions=[["content-length-range", 10, 20]])[0], "EntityTooSmall",
           f"{version}: a short file")


def chunked(served, keys, spoil="", signed=True, trailer=True):
    """Uploads like AWS's SDK for Java, which signs each chunk."""
    hashed = "STREAMING-" + ("AWS4-HMAC-SHA256-PAYLOAD" if signed else "UNSIGNED-PAYLOAD") + \
        ("-TRAILER" if trailer else "")
    parts, checksum = [b"x" * 100000, b"y" * 1000, b""], "x-amz-checksum-crc32:KAflJg=="
    size = sum(map(len, parts))
    request = botocore.awsrequest.AWSRequest("PUT", served.url + "/data/own/chunks", headers={
        "x-amz-content-sha256": hashed, "content-encoding": "aws-chunked",
        "x-amz-decoded-content-length": str(size)})
    auth = botocore.auth.S3SigV4Auth(botocore.credentials.Credentials(*keys), "s3", "us-west-2")
    auth.payload = lambda _: hashed
    auth.add_auth(request)
    stamp = request.context["timestamp"]
    previous = request.headers["Authorization"].rsplit("Signature=", 1)[1]
    scope = f"{stamp[:8]}/us-west-2/s3/aws4_request"
    key = ("AWS4" + keys[1]).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()

    def sign(kind, *hashes):
        nonlocal previous
        previous = hmac.new(key, "\n".join((f"AWS4-HMAC-SHA256-{kind}", stamp, scope, previous,
                                            *hashes)).encode(), hashlib.sha256).hexdigest()
        return previous

    body = b""
    for part in parts:
        mark = ""
        if signed:
            mark = ";chunk-signature=" + sign("PAYLOAD", hashlib.sha256(b"").hexdigest(),
                                              hashlib.sha256(part).hexdigest())
        body += f"{len(part):x}{mark}\r\n".encode() + part + (b"\r\n" if part else b"")
    if trailer:
        body += f"{checksum}\r\n".encode()
        if signed:
            mark = sign("TRAILER", hashlib.sha256(f"{checksum}\n".encode()).hexdigest())
            body += f"x-amz-trailer-signature:{mark}\r\n".encode()
    body += b"\r\n"
    if spoil:
        body = body.replace(spoil.encode(), b"z", 1)
    return sent(request.url, body, "PUT", dict(request.headers.items()))


def chunks(served, keys):
    for trailer in (False, True):
        for signed in (False, True):
            if not signed and not trailer:
                continue
            found = chunked(served, keys, signed=signed, trailer=trailer)
            if trailer and found[:1] == ("BadDigest",):
                fail("the test's checksum is wrong")
            expect(found, b"", f"an upload in chunks, {signed=}, {trailer=}")
    expect(chunked(served, keys, spoil="x", trailer=False), MISMATCH, "a spoiled chunk")
    expect(chunked(served, (keys[0], "wrong"), trailer=False), MISMATCH, "a wrong secret")


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--iam", "--start",
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())) as served:
    iam, s3 = client(served.url, "iam"), client(served.url, "s3")
    s3.create_bucket(Bucket="data", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    iam.create_user(UserName="dave")
    iam.put_user_policy(UserName="dave", PolicyName="own", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*Object",
                                                 "Resource": "arn:aws:s3:::data/own/*"}]}))
    made = iam.create_access_key(UserName="dave")["AccessKey"]
    dave = made["AccessKeyId"], made["SecretAccessKey"]
    old = [presigned_urls(served, dave, version) for version in ("s3v4", "s3")]
    for version in ("s3v4", "s3"):
        forms(served, dave, version)
    chunks(served, dave)
    served.control("clock", {"by": "2m"})
    for url in old:
        expect(sent(url), ("AccessDenied", "Request has expired"), "an old URL")
    if served.stop():
        fail("serve did not end in order")
