"""serve_messages.py SPOTSIM SCENARIO: compares every answer of every action of SQS, SNS and
EventBridge, as received from the port, with botocore's output shape. SQS is called in both
protocols."""
import http.server
import json
import pathlib
import queue
import sys
import threading

from json_service import JsonService
from response_shapes import QueryWitness
from serve_ec2 import Service, served_actions
from serve_support import Served
from support import fail

ACCOUNT = "us-west-2:123456789012"
EVENT = json.dumps({"id": "1", "account": "123456789012", "source": "mine", "region": "us-west-2",
                    "time": "2019-11-05T10:00:00Z", "resources": [], "detail-type": "d",
                    "detail": {"state": "on"}})


def queues(sqs):
    """Calls every action of SQS."""
    attributes = {"VisibilityTimeout": "40", "Policy": "{}"}
    url = sqs("CreateQueue", QueueName="q", Attributes=attributes, tags={"a": "grün"})["QueueUrl"]
    fifo = sqs("CreateQueue", QueueName="q.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    sqs("GetQueueAttributes", QueueUrl=fifo, AttributeNames=["All"])
    letters = sqs("CreateQueue", QueueName="dead")["QueueUrl"]
    dead = sqs("GetQueueAttributes", QueueUrl=letters, AttributeNames=["QueueArn"])["Attributes"]
    sqs("GetQueueUrl", QueueName="q")
    sqs("ListQueues", QueueNamePrefix="q", MaxResults=1)
    redrive = {"deadLetterTargetArn": dead["QueueArn"], "maxReceiveCount": 5}
    sqs("SetQueueAttributes", QueueUrl=url, Attributes={"RedrivePolicy": json.dumps(redrive)})
    sqs("ListDeadLetterSourceQueues", QueueUrl=letters)
    sqs("TagQueue", QueueUrl=url, Tags={"b": "c & <d>"})
    sqs("UntagQueue", QueueUrl=url, TagKeys=["a"])
    sqs("ListQueueTags", QueueUrl=url)
    text = {"DataType": "String", "StringValue": "ü"}
    sqs("SendMessage", QueueUrl=url, MessageBody="<a>", MessageAttributes={"t": text})
    sqs("SendMessage", QueueUrl=fifo, MessageBody="b", MessageGroupId="g",
        MessageDeduplicationId="1")
    sqs("SendMessageBatch", QueueUrl=url, Entries=[
        {"Id": "1", "MessageBody": "c"}, {"Id": "2", "MessageBody": "d", "DelaySeconds": 901}])
    got = sqs("ReceiveMessage", QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"],
              MessageAttributeNames=["All"])["Messages"]
    sqs("ReceiveMessage", QueueUrl=fifo, AttributeNames=["All"])
    handles = [message["ReceiptHandle"] for message in got]
    sqs("ChangeMessageVisibility", QueueUrl=url, ReceiptHandle=handles[0], VisibilityTimeout=9)
    sqs("ChangeMessageVisibilityBatch", QueueUrl=url, Entries=[
        {"Id": "1", "ReceiptHandle": handles[1], "VisibilityTimeout": 9},
        {"Id": "2", "ReceiptHandle": "none", "VisibilityTimeout": 9}])
    sqs("DeleteMessage", QueueUrl=url, ReceiptHandle=handles[0])
    sqs("DeleteMessageBatch", QueueUrl=url, Entries=[
        {"Id": "1", "ReceiptHandle": handles[1]}, {"Id": "2", "ReceiptHandle": "none"}])
    sqs("AddPermission", QueueUrl=url, Label="other", AWSAccountIds=["111122223333"],
        Actions=["SendMessage", "ReceiveMessage"])
    sqs("RemovePermission", QueueUrl=url, Label="other")
    sqs("PurgeQueue", QueueUrl=fifo)
    sqs("DeleteQueue", QueueUrl=fifo)


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Takes one message of SNS."""

    messages = queue.Queue()

    def do_POST(self):
        self.messages.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def confirm(sns, arn):
    with http.server.HTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        sns("Subscribe", TopicArn=arn, Protocol="http",
            Endpoint=f"http://127.0.0.1:{server.server_port}/")
        token = Endpoint.messages.get(timeout=20)["Token"]
        sns("ConfirmSubscription", TopicArn=arn, Token=token)


def topics(sns):
    """Calls every action of SNS."""
    arn = sns("CreateTopic", Name="t", Tags=[{"Key": "a", "Value": "ü"}],
              Attributes={"DisplayName": "T"})["TopicArn"]
    sns("ListTopics")
    sns("SetTopicAttributes", TopicArn=arn, AttributeName="DisplayName", AttributeValue="<T>")
    sns("GetTopicAttributes", TopicArn=arn)
    sns("TagResource", ResourceArn=arn, Tags=[{"Key": "b", "Value": ""}])
    sns("UntagResource", ResourceArn=arn, TagKeys=["b"])
    sns("ListTagsForResource", ResourceArn=arn)
    made = sns("Subscribe", TopicArn=arn, Protocol="sqs", Endpoint=f"arn:aws:sqs:{ACCOUNT}:q",
               Attributes={"FilterPolicy": '{"a": ["b"]}'})["SubscriptionArn"]
    sns("SetSubscriptionAttributes", SubscriptionArn=made, AttributeName="RawMessageDelivery",
        AttributeValue="true")
    sns("GetSubscriptionAttributes", SubscriptionArn=made)
    sns("ListSubscriptions")
    sns("ListSubscriptionsByTopic", TopicArn=arn)
    sns("Publish", TopicArn=arn, Message="m", Subject="s")
    sns("PublishBatch", TopicArn=arn, PublishBatchRequestEntries=[
        {"Id": "1", "Message": "m"},
        {"Id": "2", "Message": '{"default": "m"}', "MessageStructure": "json"}])
    confirm(sns, arn)
    sns("Unsubscribe", SubscriptionArn=made)
    sns("DeleteTopic", TopicArn=arn)


def rules(events):
    """Calls every action of EventBridge."""
    bus = events("CreateEventBus", Name="own", Tags=[{"Key": "a", "Value": "b"}])["EventBusArn"]
    events("DescribeEventBus", Name="own")
    events("ListEventBuses", Limit=1)
    events("PutRule", Name="r", EventPattern='{"source": ["mine"]}', Description="d")
    arn = events("DescribeRule", Name="r")["Arn"]
    events("ListRules", NamePrefix="r")
    events("DisableRule", Name="r")
    events("EnableRule", Name="r")
    queue = f"arn:aws:sqs:{ACCOUNT}:q"
    events("PutTargets", Rule="r", Targets=[
        {"Id": "1", "Arn": queue, "InputPath": "$.detail"},
        {"Id": "2", "Arn": queue, "InputTransformer": {
            "InputPathsMap": {"a": "$.source"}, "InputTemplate": '"<a>"'}}])
    events("ListTargetsByRule", Rule="r")
    events("ListRuleNamesByTarget", TargetArn=queue)
    events("TestEventPattern", EventPattern='{"source": ["mine"]}', Event=EVENT)
    events("PutEvents", Entries=[{"Source": "mine", "DetailType": "d", "Detail": "{}"},
                                 {"Source": "aws.ec2", "DetailType": "d", "Detail": "{}"}])
    events("TagResource", ResourceARN=arn, Tags=[{"Key": "k", "Value": "v"}])
    events("ListTagsForResource", ResourceARN=arn)
    events("UntagResource", ResourceARN=arn, TagKeys=["k"])
    events("RemoveTargets", Rule="r", Ids=["1", "2", "3"])
    events("DeleteRule", Name="r")
    events("DeleteEventBus", Name="own")
    if bus != f"arn:aws:events:{ACCOUNT}:event-bus/own":
        fail(f"the bus is {bus}")


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2]
for name, use, xmlns in (("sqs", queues, "http://queue.amazonaws.com/doc/2012-11-05/"),
                         ("sns", topics, "http://sns.amazonaws.com/doc/2010-03-31/")):
    with Served(spotsim, scenario, "--speed", "manual") as served:
        witness = QueryWitness(xmlns)
        service = Service(served.port, witness, name)
        use(service.call)
        for action in served_actions(source, name):
            service.refused(action, {"Version": "2010-01-01"})
        witness.finish(served_actions(source, name))
for name, use, target, version in (("sqs", queues, "AmazonSQS", "1.0"),
                                   ("events", rules, "AWSEvents", "1.1")):
    with Served(spotsim, scenario, "--speed", "manual") as served:
        service = JsonService(served.port, name, target,
                              content_type=f"application/x-amz-json-{version}")
        use(service.call)
        service.finish(served_actions(source, name))
