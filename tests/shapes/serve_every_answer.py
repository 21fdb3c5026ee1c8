"""serve_every_answer.py SPOTSIM SCENARIO: every answer of every action of STS, SSM, S3, SageMaker,
CloudWatch Logs and ECR, as received from the port, against botocore's output shape. Then damages
answers, and requires that each check notices this."""
import datetime
import pathlib
import sys

import calls
import calls_of_s3
from json_service import JsonService
from json_shapes import JsonWitness
from response_shapes import QueryWitness
from rest_service import S3Service
from rest_xml_shapes import RestXmlWitness
from serve_ec2 import Service, newer_members, open_enums, served_actions
from serve_support import Served
from support import expect
from witness import check_that_it_notices

STS = "https://sts.amazonaws.com/doc/2011-06-15/"
QUERY_BREAKS = (
    ("an element that no model knows", b"<PackedPolicySize>", b"<Size/><PackedPolicySize>"),
    ("a word for a number", b"<PackedPolicySize>", b"<PackedPolicySize>big"),
    ("no time", b"Z</Expiration>", b"</Expiration>"),
    ("a missing required member", b"SessionToken>", b"Token>"),
    ("another namespace", b"2011-06-15", b"2010-05-08"),
    ("another action's root", b"AssumeRoleResponse", b"AssumeResponse"),
    ("a result elsewhere", b"AssumeRoleResult", b"Result"),
    ("no request ID", b"<RequestId>", b"<RequestId>x"),
    ("another type", b"text/xml", b"text/html"))
JSON_BREAKS = (
    ("a member that no model knows", b'"RoleArn"', b'"Role":1,"RoleArn"'),
    ("a text for a number", b'"InstanceCount":1', b'"InstanceCount":"1"'),
    ("a truth for a number", b'"InstanceCount":1', b'"InstanceCount":true'),
    ("a fraction", b'"InstanceCount":1', b'"InstanceCount":1.5'),
    ("a number that is too large", b'"InstanceCount":1', b'"InstanceCount":3000000000'),
    ("a number for a truth", b'"EnableNetworkIsolation":false', b'"EnableNetworkIsolation":0'),
    ("a text for a time", b'"CreationTime":1572948000', b'"CreationTime":"2019"'),
    ("a state that is none", b'"TrainingJobStatus":"Failed"', b'"TrainingJobStatus":"Over"'),
    ("null", b'"TrainingTimeInSeconds":0', b'"TrainingTimeInSeconds":null'),
    ("a missing required member", b'"TrainingJobArn"', b'"Environment"'),
    ("a structure for a list", b'["subnet-1"]', b'{"subnet":1}'),
    ("no request ID", b"x-amzn-requestid", b"x-id"),
    ("another type", b"x-amz-json-1.1", b"json"))
XML_BREAKS = (
    ("an element that no model knows", b"<Size>", b"<Bytes/><Size>"),
    ("a word for a number", b"<Size>", b"<Size>big"),
    ("a truth in capitals", b"<IsTruncated>false", b"<IsTruncated>False"),
    ("no time", b".000Z</LastModified>", b"</LastModified>"),
    ("a storage class that is none", b">STANDARD<", b">USUAL<"),
    ("a member given twice", b"<IsTruncated>", b"<IsTruncated>true</IsTruncated><IsTruncated>"),
    ("another namespace", b"2006-03-01", b"2006-03-02"),
    ("another root", b"ListBucketResult", b"ListResult"),
    ("no declaration", b'<?xml version="1.0" encoding="UTF-8"?>', b""),
    ("no host ID", b"x-amz-id-2", b"x-id"),
    ("another type", b"application/xml", b"text/xml"))
HEADER_BREAKS = (
    ("an ETag without quotes", b'"', b""),
    ("a time in another form", b" GMT", b" UTC"),
    ("a range in another form", b"-ranges", b"-range"),
    ("no number", b"10", b"ten"))
QUERY_ERROR_BREAKS = (("no type", b"Type>", b"Kind>"), ("no message", b"Message>", b"Text>"),
                      ("another type", b"text/xml", b"text/html"))
JSON_ERROR_BREAKS = (("no code", b'"__type"', b'"type"'), ("no message", b'"message"', b'"text"'),
                     ("no request ID", b"x-amzn-requestid", b"x-id"))
XML_ERROR_BREAKS = (("another root", b"Error>", b"Fault>"), ("no code", b"Code>", b"Type>"),
                    ("no host ID", b"HostId>", b"Host>"),
                    ("another request ID", b"<RequestId>", b"<RequestId>0"),
                    ("another type", b"application/xml", b"text/xml"))


def walk(served, source):
    """Calls everything; returns samples of answers."""
    def wait(duration):
        status, text = served.control("clock", {"by": duration})
        expect(status, 200, text)

    def actions(name):
        return served_actions(source, name)

    s3 = S3Service(served.port, RestXmlWitness(open_enums(source, "s3"),
                                               newer_members(source, "s3")))
    for step in calls_of_s3.buckets, calls_of_s3.objects, calls_of_s3.uploads, calls_of_s3.end:
        step(s3.call)
    s3.refuse_all()
    iam = Service(served.port, lambda *_: None, "iam", region="us-east-1")
    role = iam.call("CreateRole", RoleName="R", AssumeRolePolicyDocument=calls.TRUST)["Role"]["Arn"]
    iam.call("CreateOpenIDConnectProvider", Url=f"https://{calls.PROVIDER}", ClientIDList=["one"],
             ThumbprintList=["a" * 40])
    sts = Service(served.port, QueryWitness(STS), "sts")
    calls.sts(sts.call, role)
    for action in actions("sts"):
        sts.refused(action, {"Version": "2010-01-01"})
    sts.seen.finish(actions("sts"))
    start = datetime.datetime.fromisoformat(served.get("clock")["now"][:19] + "+00:00")
    samples = [(lambda: QueryWitness(STS), sts.seen.samples["AssumeRole"], QUERY_BREAKS),
               (lambda: QueryWitness(STS), sts.seen.refusals["AssumeRole"], QUERY_ERROR_BREAKS)]
    for name, target, use in (
            ("ssm", "AmazonSSM", calls.ssm),
            ("logs", "Logs_20140328", lambda ask: calls.logs(ask, int(start.timestamp() * 1000))),
            ("ecr", "AmazonEC2ContainerRegistry_V20150921", calls.ecr),
            ("sagemaker", "SageMaker", lambda ask: calls.sagemaker(ask, role, wait))):
        service = JsonService(served.port, name, target)
        use(service.call)
        service.finish(actions(name))
    s3.seen.finish(actions("s3"), refused={"GetBucketReplication", "GetObjectLockConfiguration"},
                   empty={"GetBucketVersioning", "GetBucketNotificationConfiguration",
                          "GetBucketLogging", "GetBucketAccelerateConfiguration",
                          "AbortMultipartUpload", "DeleteObject", "DeleteObjectTagging",
                          "PutObjectTagging"})
    return samples + [
        (JsonWitness, service.seen.samples["DescribeTrainingJob"], JSON_BREAKS),
        (JsonWitness, service.seen.refusals["DescribeTrainingJob"], JSON_ERROR_BREAKS),
        (RestXmlWitness, s3.seen.refusals["ListObjectsV2"], XML_ERROR_BREAKS),
        (RestXmlWitness, s3.seen.samples["ListObjectsV2"], XML_BREAKS),
        (RestXmlWitness, s3.seen.samples["HeadObject"], HEADER_BREAKS)]


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--speed", "manual") as it:
    of_all = walk(it, pathlib.Path(__file__).resolve().parents[2])
for maker, sample, breaks in of_all:
    check_that_it_notices(maker, sample, breaks)
