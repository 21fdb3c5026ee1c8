"""serve_http_endpoint.py SPOTSIM SCENARIO: SNS posts messages to an HTTP server of this machine:
confirmation, notifications with signatures, retries, and the links in messages."""
import base64
import http.server
import json
import queue
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

from serve_support import Served
from support import expect, fail, skip

try:
    import boto3
    from botocore.exceptions import ClientError
except ImportError as error:
    skip(f"this python3 has no {error.name}")


class Endpoint(http.server.BaseHTTPRequestHandler):
    posts, statuses, confirm = queue.Queue(), [], None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.confirm and self.headers["x-amz-sns-message-type"] == "SubscriptionConfirmation":
            type(self).confirm = None  # a server may confirm before it answers
            urllib.request.urlopen(json.loads(body)["SubscribeURL"], timeout=10).read()
        status = self.statuses.pop(0) if self.statuses else 200
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.posts.put((self.headers, body))

    def log_message(self, *_):
        pass


def next_post(kind, within=20):
    headers, body = Endpoint.posts.get(timeout=within)
    expect(headers["x-amz-sns-message-type"], kind, "the type of a post")
    expect(headers["User-Agent"], "Amazon Simple Notification Service Agent", "the agent")
    return headers, body


def verify(message, hashed):
    """Checks a message's signature with openssl, as AWS's guide describes."""
    names = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn",
             "Type"]
    text = "".join(f"{name}\n{message[name]}\n" for name in names if name in message)
    with tempfile.TemporaryDirectory() as folder:
        pem = urllib.request.urlopen(message["SigningCertURL"], timeout=10).read()
        for name, content in (("cert", pem), ("text", text.encode()),
                              ("signature", base64.b64decode(message["Signature"]))):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        with open(f"{folder}/key", "wb") as file:
            file.write(subprocess.run(["openssl", "x509", "-in", f"{folder}/cert", "-pubkey",
                                       "-noout"], capture_output=True, check=True).stdout)
        done = subprocess.run(["openssl", "dgst", f"-{hashed}", "-verify", f"{folder}/key",
                               "-signature", f"{folder}/signature", f"{folder}/text"],
                              capture_output=True, text=True, check=False)
        expect(done.stdout, "Verified OK\n", "the signature")


def refused(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "ok"


def attributes(sns, subscription):
    return sns.get_subscription_attributes(SubscriptionArn=subscription)["Attributes"]


def confirmation(sns, topic, url):
    """A subscription becomes active by its token; until then nothing is sent."""
    asked = {"TopicArn": topic, "Protocol": "http", "Endpoint": url}
    expect(sns.subscribe(**asked)["SubscriptionArn"], "pending confirmation", "Subscribe")
    headers, body = next_post("SubscriptionConfirmation")
    message = json.loads(body)
    expect(headers["x-amz-sns-topic-arn"], topic, "the topic of a confirmation")
    expect("x-amz-sns-subscription-arn" in headers, False, "a confirmation's subscription")
    verify(message, "sha1")
    arn = sns.subscribe(**asked, ReturnSubscriptionArn=True)["SubscriptionArn"]
    next_post("SubscriptionConfirmation")
    expect(attributes(sns, arn)["PendingConfirmation"], "true", "pending")
    expect(sns.list_subscriptions()["Subscriptions"][0]["SubscriptionArn"], "PendingConfirmation",
           "the list")
    sns.publish(TopicArn=topic, Message="lost")
    expect(refused(sns.confirm_subscription, TopicArn=topic, Token="x"), "InvalidParameter",
           "a wrong token")
    expect(sns.confirm_subscription(TopicArn=topic, Token=message["Token"])["SubscriptionArn"],
           arn, "ConfirmSubscription")
    expect(attributes(sns, arn)["PendingConfirmation"], "false", "confirmed")
    return arn


def notifications(sns, topic, arn):
    made = sns.publish(TopicArn=topic, Message="räumen", Subject="s", MessageAttributes={
        "a": {"DataType": "String", "StringValue": "b"}})["MessageId"]
    headers, body = next_post("Notification")
    message = json.loads(body)
    expect(headers["x-amz-sns-message-id"], made, "the ID")
    expect(headers["x-amz-sns-subscription-arn"], arn, "the subscription")
    expect(headers["Content-Type"], "text/plain; charset=UTF-8", "the content type")
    expect((message["Message"], message["Subject"], message["MessageAttributes"]),
           ("räumen", "s", {"a": {"Type": "String", "Value": "b"}}), "the message")
    verify(message, "sha1")
    sns.set_topic_attributes(TopicArn=topic, AttributeName="SignatureVersion", AttributeValue="2")
    sns.publish(TopicArn=topic, Message="2")
    verify(json.loads(next_post("Notification")[1]), "sha256")
    sns.set_subscription_attributes(SubscriptionArn=arn, AttributeName="RawMessageDelivery",
                                    AttributeValue="true")
    sns.publish(TopicArn=topic, Message="as it is")
    headers, body = next_post("Notification")
    expect((headers["x-amz-sns-rawdelivery"], body), ("true", "as it is"), "raw delivery")


def retry_after(served):
    """The next post, which must not come before 20 s of virtual time. The 20 s begin when spotsim
    has read the endpoint's answer: on a busy machine the clock may have moved by 20 s by then, or
    by a few more."""
    served.control("clock", {"by": "19s"})
    expect(Endpoint.posts.empty(), True, "an early retry")
    for _ in range(30):
        served.control("clock", {"by": "1s"})
        try:
            return next_post("Notification", within=1)
        except queue.Empty:
            pass
    return fail("no retry within 49 s")


def retries(served, sns, sqs, topic, arn):
    """Four attempts, 20 s of virtual time apart, then the dead-letter queue."""
    url = sqs.create_queue(QueueName="dead")["QueueUrl"]
    dead = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
    sns.set_subscription_attributes(
        SubscriptionArn=arn, AttributeName="RedrivePolicy",
        AttributeValue=json.dumps({"deadLetterTargetArn": dead["Attributes"]["QueueArn"]}))
    Endpoint.statuses[:] = [500, 503, 200]
    sns.publish(TopicArn=topic, Message="again")
    first = next_post("Notification")
    for _ in range(2):
        expect(retry_after(served)[1], first[1], "a retry")
    served.control("clock", {"by": "5m"})
    expect(Endpoint.posts.empty(), True, "a retry after success")
    Endpoint.statuses[:] = [404]
    sns.publish(TopicArn=topic, Message="refused")
    next_post("Notification")
    for _ in range(50):
        found = sqs.receive_message(QueueUrl=url).get("Messages", [])
        if found:
            break
    expect([each["Body"] for each in found], ["refused"], "the dead-letter queue")
    expect(refused(sns.set_subscription_attributes, SubscriptionArn=arn,
                   AttributeName="DeliveryPolicy",
                   AttributeValue='{"healthyRetryPolicy": {"numRetries": 101}}'),
           "InvalidParameter", "too many retries")


def links(sns, topic, arn):
    sns.set_subscription_attributes(SubscriptionArn=arn, AttributeName="RawMessageDelivery",
                                    AttributeValue="false")
    sns.publish(TopicArn=topic, Message="bye")
    message = json.loads(next_post("Notification")[1])
    urllib.request.urlopen(message["UnsubscribeURL"], timeout=10).read()
    expect(refused(sns.get_subscription_attributes, SubscriptionArn=arn), "NotFound",
           "the subscription after UnsubscribeURL")
    restore = json.loads(next_post("UnsubscribeConfirmation")[1])
    urllib.request.urlopen(restore["SubscribeURL"], timeout=10).read()
    expect(attributes(sns, arn)["PendingConfirmation"], "false", "the restored subscription")


spotsim, scenario = sys.argv[1:]
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server, \
        Served(spotsim, scenario, "--iam", "--speed", "manual") as served:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made = [boto3.client(name, endpoint_url=served.url, region_name="us-west-2",
                         aws_access_key_id="AKIAIOSFODNN7EXAMPLE",
                         aws_secret_access_key="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
            for name in ("sns", "sqs")]
    own = f"http://127.0.0.1:{server.server_port}/hook"
    subject = made[0].create_topic(Name="notices")["TopicArn"]
    subscribed = confirmation(made[0], subject, own)
    notifications(made[0], subject, subscribed)
    retries(served, *made, subject, subscribed)
    links(made[0], subject, subscribed)
    for elsewhere in ("http://example.com/", "http://127.0.0.1.example.com/", "http://a@/",
                      "http://10.0.0.1/", "http://localhost@example.com/"):
        expect(refused(made[0].subscribe, TopicArn=subject, Protocol="http", Endpoint=elsewhere),
               "InvalidParameter", elsewhere)
    Endpoint.confirm = True
    made[0].subscribe(TopicArn=subject, Protocol="http", Endpoint=own + "/2")
    next_post("SubscriptionConfirmation")
    expect(made[0].get_topic_attributes(TopicArn=subject)["Attributes"]["SubscriptionsConfirmed"],
           "2", "a subscription that its server confirms at once")
    server.shutdown()
    if served.stop():
        fail("serve did not end in order")
