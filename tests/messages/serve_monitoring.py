"""serve_monitoring.py SPOTSIM SCENARIO: compares every answer of every action of CloudWatch, in
both of its protocols, with botocore's output shape. boto3's and aws-cli's paginators collect the
same metrics and alarms as one call."""
import datetime
import gzip
import pathlib
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from json_service import JsonService
from response_shapes import QueryWitness
from serve_ec2 import Service, newer_members, served_actions
from serve_support import Served, aws_environment
from support import fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

AWS = "/usr/bin/aws"
ALARMS = "arn:aws:cloudwatch:us-west-2:123456789012:alarm:"
TOPIC = "arn:aws:sns:us-west-2:123456789012:none"
COUNT = 7


def walk(ask, served, now):
    """Calls every action. `now` is the time in the protocol's form."""
    metric = {"Namespace": "Training", "MetricName": "GPUUtilization"}
    dimensions = [{"Name": "InstanceId", "Value": "i-0123456789abcdef0"},
                  {"Name": "ü", "Value": "&"}]
    ask("PutMetricData", Namespace="Training", MetricData=[
        {"MetricName": "GPUUtilization", "Value": 3.5, "Unit": "Percent", "Dimensions": dimensions},
        {"MetricName": "GPUUtilization", "Values": [1, 2.5], "Counts": [2, 1],
         "StorageResolution": 1},
        {"MetricName": "Steps", "StatisticValues": {"SampleCount": 2, "Sum": 3, "Minimum": 1,
                                                    "Maximum": 2}}])
    ask("PutMetricAlarm", AlarmName="<idle>", EvaluationPeriods=3, DatapointsToAlarm=2, Period=60,
        ComparisonOperator="LessThanThreshold", Threshold=5, ExtendedStatistic="p90",
        EvaluateLowSampleCountPercentile="evaluate", TreatMissingData="breaching",
        AlarmDescription="d", AlarmActions=[TOPIC], OKActions=[TOPIC], Unit="Percent",
        Dimensions=dimensions, Tags=[{"Key": "a", "Value": "b"}], **metric)
    served.control("clock", {"by": "5m"})  # the alarm's action fails, since there is no topic
    ask("ListMetrics", Namespace="Training", Dimensions=[{"Name": "InstanceId"}])
    ask("GetMetricStatistics", StartTime=now(-600), EndTime=now(600), Period=60,
        Statistics=["Average", "Sum", "Minimum", "Maximum", "SampleCount"], **metric)
    ask("GetMetricStatistics", StartTime=now(-600), EndTime=now(600), Period=300,
        ExtendedStatistics=["p50"], Dimensions=dimensions, **metric)
    query = {"Id": "q", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Maximum"}}
    ask("GetMetricData", MetricDataQueries=[query], StartTime=now(-600), EndTime=now(600))
    found = ask("DescribeAlarms", AlarmNames=["<idle>"])["MetricAlarms"]
    if [each["StateValue"] for each in found] != ["ALARM"]:
        fail(f"the alarm is {found}")
    ask("DescribeAlarmsForMetric", Dimensions=dimensions, **metric)
    items = ask("DescribeAlarmHistory", AlarmName="<idle>")["AlarmHistoryItems"]
    if {each["HistoryItemType"] for each in items} != {"ConfigurationUpdate", "StateUpdate",
                                                       "Action"}:
        fail(f"the history is {items}")
    ask("SetAlarmState", AlarmName="<idle>", StateValue="OK", StateReason="a test",
        StateReasonData='{"a": 1}')
    ask("DisableAlarmActions", AlarmNames=["<idle>"])
    ask("EnableAlarmActions", AlarmNames=["<idle>"])
    ask("TagResource", ResourceARN=ALARMS + "<idle>", Tags=[{"Key": "k", "Value": "ü"}])
    ask("ListTagsForResource", ResourceARN=ALARMS + "<idle>")
    ask("UntagResource", ResourceARN=ALARMS + "<idle>", TagKeys=["k"])
    ask("DeleteAlarms", AlarmNames=["<idle>"])


def check_pages(served):
    """More metrics than a page has, and alarms by small pages."""
    client = boto3.client("cloudwatch", endpoint_url=served.url, region_name="us-west-2",
                          aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")
    names = [f"m-{number:04}" for number in range(1100)]
    for first in range(0, len(names), 500):
        client.put_metric_data(Namespace="Many", MetricData=[
            {"MetricName": name, "Value": 1} for name in names[first:first + 500]])
    pages = list(client.get_paginator("list_metrics").paginate(Namespace="Many"))
    found = [each["MetricName"] for page in pages for each in page["Metrics"]]
    if found != names or len(pages) != 3:
        fail(f"list_metrics has {len(found)} metrics on {len(pages)} pages")
    for number in range(COUNT):
        client.put_metric_alarm(AlarmName=f"a{number}", Namespace="Many", MetricName="m-0000",
                                Statistic="Sum", Period=60, EvaluationPeriods=1, Threshold=0,
                                ComparisonOperator="GreaterThanThreshold")
    client.get_waiter("alarm_exists").wait(AlarmNames=["a0"])
    served.control("clock", {"by": "3m"})
    for operation, key in (("describe_alarms", "MetricAlarms"),
                           ("describe_alarm_history", "AlarmHistoryItems")):
        whole = getattr(client, operation)()[key]
        pages = [page[key] for page in client.get_paginator(operation).paginate(
            PaginationConfig={"PageSize": 2})]
        if [item for page in pages for item in page] != whole or len(pages) != -(-len(whole) // 2):
            fail(f"{operation}: {pages}\nexpected {whole}")
    query = {"Id": "q", "MetricStat": {"Metric": {"Namespace": "Many", "MetricName": "m-0000"},
                                       "Period": 1, "Stat": "Sum"}}
    clock = served.get("clock")["now"]
    for second in range(5):
        client.put_metric_data(Namespace="Many", MetricData=[
            {"MetricName": "m-0000", "Value": second, "StorageResolution": 1}])
        served.control("clock", {"by": "2s"})
    pages = list(client.get_paginator("get_metric_data").paginate(
        MetricDataQueries=[query], StartTime=clock, EndTime=served.get("clock")["now"],
        ScanBy="TimestampAscending", PaginationConfig={"PageSize": 2}))
    values = [value for page in pages for result in page["MetricDataResults"]
              for value in result["Values"]]
    if values != [0, 1, 2, 3, 4] or len(pages) != 3:
        fail(f"get_metric_data has {values} on {len(pages)} pages")
    if pathlib.Path(AWS).exists():
        done = subprocess.run(
            [AWS, "--endpoint-url", served.url, "cloudwatch", "describe-alarms", "--page-size", "3",
             "--query", "MetricAlarms[].AlarmName", "--output", "text"],
            capture_output=True, text=True, timeout=120, check=False, env=aws_environment())
        if done.stdout.split() != [f"a{number}" for number in range(COUNT)]:
            fail(f"aws cloudwatch describe-alarms: {done.stdout} {done.stderr}")


def check_gzip(served):
    """Newer SDKs compress long requests of PutMetricData."""
    form = urllib.parse.urlencode({
        "Action": "PutMetricData", "Version": "2010-08-01", "Namespace": "Packed",
        **{f"MetricData.member.{n}.{key}": value for n in range(1, 201)
           for key, value in (("MetricName", f"m{n}"), ("Value", n))}}).encode()
    for body, expected in ((gzip.compress(form), 200), (gzip.compress(form)[:-60], 400),
                           (form, 400), (b"", 400), (gzip.compress(bytes(5 << 20)), 413)):
        request = urllib.request.Request(served.url, data=body, headers={
            "Content-Type": "application/x-www-form-urlencoded", "Content-Encoding": "gzip",
            "Authorization": "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/monitoring/"
                             "aws4_request, SignedHeaders=host, Signature=0"})
        try:
            status = urllib.request.urlopen(request, timeout=60).status
        except urllib.error.HTTPError as error:
            status = error.code
        if status != expected:
            fail(f"{len(body)} bytes as gzip: found {status}, expected {expected}")
    found = boto3.client("cloudwatch", endpoint_url=served.url, region_name="us-west-2",
                         aws_access_key_id="AKIDEXAMPLE",
                         aws_secret_access_key="secret").list_metrics(Namespace="Packed")
    if len(found["Metrics"]) != 200:
        fail(f"a compressed request put {len(found['Metrics'])} metrics, expected 200")


def refused(call, code):
    """The call must be refused with this code."""
    try:
        call()
    except Exception as error:  # boto3 makes a class for each code
        if error.response["Error"]["Code"] == code:
            return error.response["Error"]["Message"]
        raise
    return fail(f"a call is not refused with {code}")


def check_refusals(served):
    client = boto3.client("cloudwatch", endpoint_url=served.url, region_name="us-west-2",
                          aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")

    def alarm(**more):
        return lambda: client.put_metric_alarm(**{
            "AlarmName": "a", "Namespace": "n", "MetricName": "m", "Statistic": "Sum",
            "Period": 60, "EvaluationPeriods": 1, "Threshold": 0,
            "ComparisonOperator": "GreaterThanThreshold", **more})

    def put(**datum):
        return lambda: client.put_metric_data(Namespace="n", MetricData=[
            {"MetricName": "m", **datum}])

    recover = "arn:aws:automate:us-west-2:ec2:recover"
    if recover not in refused(alarm(AlarmActions=[recover]), "UnsupportedOperation"):
        fail("the refusal of recover does not name it")
    refused(alarm(AlarmActions=["arn:aws:autoscaling:us-west-2:1:scalingPolicy:p"]),
            "UnsupportedOperation")
    refused(alarm(AlarmActions=["arn:aws:automate:us-west-2:ec2:stop"]), "ValidationError")
    refused(alarm(Metrics=[{"Id": "e", "Expression": "a+b"}]), "UnsupportedOperation")
    refused(alarm(DatapointsToAlarm=2), "ValidationError")
    refused(alarm(Period=90), "InvalidParameterValue")
    refused(alarm(Period=3600, EvaluationPeriods=169), "ValidationError")
    refused(alarm(TreatMissingData="never"), "ValidationError")
    refused(put(), "MissingParameter")
    refused(put(Value=1, Values=[1]), "InvalidParameterCombination")
    refused(put(Value=1e300), "InvalidParameterValue")
    refused(put(Value=1, Timestamp="2001-01-01T00:00:00Z"), "InvalidParameterValue")
    refused(lambda: client.put_metric_data(Namespace="AWS/EC2", MetricData=[
        {"MetricName": "m", "Value": 1}]), "InvalidParameterValue")
    refused(lambda: client.describe_alarms(NextToken="x"), "InvalidNextToken")
    client.delete_alarms(AlarmNames=["none"])
    refused(client.list_dashboards, "InvalidAction")


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2]
ACTIONS = served_actions(source, "cloudwatch")


def clock_of(served, form):
    """A function from an offset in seconds to a time."""
    start = datetime.datetime.fromisoformat(served.get("clock")["now"][:19] + "+00:00")
    return lambda offset: form(start + datetime.timedelta(seconds=offset))


with Served(spotsim, scenario, "--speed", "manual") as it:
    witness = QueryWitness("http://monitoring.amazonaws.com/doc/2010-08-01/",
                           newer=newer_members(source, "cloudwatch"))
    form_service = Service(it.port, witness, "cloudwatch")
    walk(form_service.call, it, clock_of(it, lambda time: time))
    for action in ACTIONS:
        form_service.refused(action, {"Version": "2010-01-01"})
    witness.finish(ACTIONS)
with Served(spotsim, scenario, "--speed", "manual") as it:
    json_service = JsonService(it.port, "cloudwatch", "GraniteServiceVersion20100801",
                               content_type="application/x-amz-json-1.0",
                               newer=newer_members(source, "cloudwatch"))
    walk(json_service.call, it, clock_of(it, lambda time: time.timestamp()))
    json_service.finish(ACTIONS)
with Served(spotsim, scenario, "--speed", "manual") as it:
    check_pages(it)
    check_refusals(it)
    check_gzip(it)
