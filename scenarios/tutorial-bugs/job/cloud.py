#!/usr/bin/python3
# Instance metadata and EC2, asked with no more than Python's own library.
import hashlib
import hmac
import http.client
import json
import os
import pwd
import re
import subprocess
import sys
import time
import urllib.parse
import xml.etree.ElementTree as xml

REGION = "us-west-2"


class Refused(Exception):
    """EC2's answer was an error, or there was none: args[0] is its code."""


def ask(method, url, headers, body=None, timeout=20):
    """An HTTP request's status and text. OSError and HTTPException: there was no answer."""
    scheme, host, path, query, _ = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = kind(host, timeout=timeout)
    connection.request(method, path or "/", body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def metadata(path):
    """What the metadata service has there; None: nothing (404). Any other answer is none."""
    service = "http://169.254.169.254/latest/"
    while True:
        try:
            lifetime = {"X-aws-ec2-metadata-token-ttl-seconds": "21600"}
            status, token = ask("PUT", service + "api/token", lifetime, timeout=2)
            if status == 200:
                status, text = ask("GET", service + "meta-data/" + path,
                                   {"X-aws-ec2-metadata-token": token}, timeout=2)
                if status in (200, 404):
                    return text if status == 200 else None
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(1)


def credentials():
    """Access key, secret and session token: the operator's, or those of the instance's role."""
    if "AWS_ACCESS_KEY_ID" in os.environ:
        return os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"], None
    role = metadata("iam/security-credentials/")
    keys = json.loads(metadata("iam/security-credentials/" + role))
    return keys["AccessKeyId"], keys["SecretAccessKey"], keys["Token"]


def signed(body, host):
    """The headers of a request to EC2: Signature Version 4."""
    key, secret, session = credentials()
    now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    headers = {"content-type": "application/x-www-form-urlencoded", "host": host, "x-amz-date": now}
    if session:
        headers["x-amz-security-token"] = session
    names = ";".join(sorted(headers))
    request = "\n".join(["POST", "/", ""] + [f"{name}:{headers[name]}" for name in sorted(headers)]
                        + ["", names, hashlib.sha256(body).hexdigest()])
    scope = f"{now[:8]}/{REGION}/ec2/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(request.encode()).hexdigest()])
    signature = ("AWS4" + secret).encode()
    for part in scope.split("/") + [text]:
        signature = hmac.new(signature, part.encode(), hashlib.sha256).digest()
    headers["authorization"] = (f"AWS4-HMAC-SHA256 Credential={key}/{scope}, "
                                f"SignedHeaders={names}, Signature={signature.hex()}")
    return headers


def flat(value, name=""):
    """{"Tag": [{"Key": "Name"}]} as EC2 has it: Tag.1.Key=Name."""
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value, 1)
    else:
        return [(name, value)]
    return [pair for key, part in inner for pair in flat(part, f"{name}.{key}".lstrip("."))]


def ec2(action, **parameters):
    """A call of EC2, tried five times where it is EC2 or the way to it that failed. Its answer, as
    XML without namespaces. Refused: there is none."""
    url = os.environ.get("AWS_ENDPOINT_URL", f"https://ec2.{REGION}.amazonaws.com")
    body = urllib.parse.urlencode(
        [("Action", action), ("Version", "2016-11-15"), *flat(parameters)])
    for pause in (1, 2, 4, 8, None):
        try:
            host = urllib.parse.urlsplit(url).netloc
            status, text = ask("POST", url, signed(body.encode(), host), body)
            answer = xml.fromstring(re.sub(r' xmlns="[^"]*"', "", text, 1))
            if status == 200:
                return answer
            code = answer.findtext(".//Code")
            if status < 500:
                raise Refused(code)
        except (OSError, http.client.HTTPException) as error:
            code = str(error)
        if pause:
            time.sleep(pause)
    raise Refused(code)


def described(action, tag):
    """Resources with this value of the tag Name."""
    return ec2(action, Filter=[{"Name": "tag:Name", "Value": [tag]}])
