"""serve_idle_alarm.py SPOTSIM SCENARIO: what tutorials do about forgotten GPU instances. A script
puts a metric of GPU use at `spotsim serve` with aws-cli, and an alarm stops the idle instance.
EventBridge and SNS report the alarm. A second alarm, on EC2's CPUUtilization, stops the instance
again. Alarms on network traffic have no data."""
import json
import pathlib
import subprocess
import sys
from datetime import datetime, timedelta

from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

AWS, AMI = "/usr/bin/aws", "ami-0123456789abcdef0"
if not pathlib.Path(AWS).exists():
    skip("aws-cli is not installed")
REGION, ACCOUNT = "us-west-2", "123456789012"
STOP = f"arn:aws:automate:{REGION}:ec2:stop"


def aws(served, *arguments):
    done = subprocess.run([AWS, "--endpoint-url", served.url, *arguments], capture_output=True,
                          text=True, timeout=120, check=False, env=aws_environment())
    if done.returncode != 0:
        fail(f"aws {' '.join(arguments)}: {done.stderr}")
    return done.stdout


class World:
    """A running instance, and a queue that gets the messages of a topic and of EventBridge."""

    def __init__(self, served):
        self.served = served
        self.ec2, self.sqs, sns, events, self.cloudwatch = (
            boto3.client(name, endpoint_url=served.url, region_name=REGION,
                         aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")
            for name in ("ec2", "sqs", "sns", "events", "cloudwatch"))
        self.instance = self.ec2.run_instances(
            ImageId=AMI, InstanceType="m4.xlarge", MinCount=1, MaxCount=1,
            Placement={"AvailabilityZone": "us-west-2b"})["Instances"][0]["InstanceId"]
        self.url = self.sqs.create_queue(QueueName="told")["QueueUrl"]
        queue = f"arn:aws:sqs:{REGION}:{ACCOUNT}:told"
        self.topic = sns.create_topic(Name="alarms")["TopicArn"]
        sns.subscribe(TopicArn=self.topic, Protocol="sqs", Endpoint=queue,
                      Attributes={"RawMessageDelivery": "true"})
        events.put_rule(Name="alarms", EventPattern=json.dumps({
            "source": ["aws.cloudwatch"], "detail-type": ["CloudWatch Alarm State Change"]}))
        events.put_targets(Rule="alarms", Targets=[{"Id": "1", "Arn": queue}])
        self.served.control("clock", {"by": "5m"})

    def state(self):
        found = self.ec2.describe_instances(InstanceIds=[self.instance])
        return found["Reservations"][0]["Instances"][0]["State"]["Name"]

    def alarm_state(self, name):
        return self.cloudwatch.describe_alarms(AlarmNames=[name])["MetricAlarms"][0]["StateValue"]

    def messages(self):
        found = []
        while got := self.sqs.receive_message(QueueUrl=self.url, MaxNumberOfMessages=10).get(
                "Messages"):
            for each in got:
                found.append(json.loads(each["Body"]))
                self.sqs.delete_message(QueueUrl=self.url, ReceiptHandle=each["ReceiptHandle"])
        return found

    def gpu_use(self, percent):
        """A minute of the script on the instance."""
        aws(self.served, "cloudwatch", "put-metric-data", "--namespace", "GPU", "--metric-name",
            "Utilization", "--unit", "Percent", "--value", str(percent), "--dimensions",
            f"InstanceId={self.instance}")
        self.served.control("clock", {"by": "1m"})


def check_idle(world):
    """Three idle minutes of four stop the instance; the alarm acts once."""
    aws(world.served, "cloudwatch", "put-metric-alarm", "--alarm-name", "idle", "--namespace",
        "GPU", "--metric-name", "Utilization", "--dimensions",
        f"Name=InstanceId,Value={world.instance}", "--statistic", "Maximum", "--period", "60",
        "--evaluation-periods", "4", "--datapoints-to-alarm", "3", "--threshold", "5",
        "--comparison-operator", "LessThanThreshold", "--alarm-actions", STOP, world.topic)
    for percent in (90, 95, 92, 88, 2):
        world.gpu_use(percent)
    expect(world.alarm_state("idle"), "OK", "the alarm of a busy instance")
    expect(world.state(), "running", "the busy instance")
    for percent in (1, 0, 0):
        world.gpu_use(percent)
    world.served.control("clock", {"by": "3m"})
    expect(world.alarm_state("idle"), "ALARM", "the alarm of an idle instance")
    expect(world.state(), "stopped", "the idle instance")
    told = world.messages()
    states = [each["detail"]["state"]["value"] for each in told if "detail" in each]
    expect(states, ["OK", "ALARM"], "EventBridge's events")
    event = [each for each in told if "detail" in each][1]
    expect(event["resources"], [f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:idle"],
           "its resource")
    metric = event["detail"]["configuration"]["metrics"][0]["metricStat"]
    expect((metric["metric"]["dimensions"], metric["period"], metric["stat"]),
           ({"InstanceId": world.instance}, 60, "Maximum"), "its metric")
    texts = [each for each in told if "AlarmName" in each]
    expect([(each["OldStateValue"], each["NewStateValue"], each["Region"]) for each in texts],
           [("OK", "ALARM", "US West (Oregon)")], "SNS's messages")
    logged = [json.loads(line) for line in world.served.log().splitlines()]
    expect([each["to"] for each in logged if each["event"] == "alarm.state"], ["OK", "ALARM"],
           "the log's states")
    expect([(each["action"], each["result"]) for each in logged if each["event"] == "alarm.action"],
           [(STOP, "ok"), (world.topic, "ok")], "the log's actions")


def check_own_metrics(world):
    """Status checks pass every minute while the instance runs, and an instance of `serve` is idle.
    There is no network traffic."""
    world.served.control("clock", {"by": "1h"})  # an alarm looks back, also before the stop
    world.ec2.start_instances(InstanceIds=[world.instance])
    world.served.control("clock", {"by": "2m"})
    for name, metric in (("broken", "StatusCheckFailed_System"), ("net", "NetworkIn")):
        world.cloudwatch.put_metric_alarm(
            AlarmName=name, Namespace="AWS/EC2", MetricName=metric, Statistic="Maximum", Period=60,
            Dimensions=[{"Name": "InstanceId", "Value": world.instance}], EvaluationPeriods=2,
            Threshold=1, ComparisonOperator="GreaterThanOrEqualToThreshold",
            AlarmActions=[f"arn:aws:swf:{REGION}:{ACCOUNT}:action/actions/"
                          "AWS_EC2.InstanceId.Terminate/1.0"])
    aws(world.served, "cloudwatch", "put-metric-alarm", "--alarm-name", "cpu", "--namespace",
        "AWS/EC2", "--metric-name", "CPUUtilization", "--dimensions",
        f"Name=InstanceId,Value={world.instance}", "--statistic", "Average", "--period", "300",
        "--evaluation-periods", "3", "--threshold", "5", "--comparison-operator",
        "LessThanThreshold", "--alarm-actions", STOP)
    world.served.control("clock", {"by": "2m"})
    expect([world.alarm_state(name) for name in ("broken", "net", "cpu")],
           ["OK", "INSUFFICIENT_DATA", "INSUFFICIENT_DATA"], "the alarms after four minutes")
    expect(world.state(), "running", "the instance after four idle minutes")
    world.served.control("clock", {"by": "18m"})
    expect((world.alarm_state("cpu"), world.state()), ("ALARM", "stopped"),
           "the alarm of the idle instance")
    found = world.cloudwatch.list_metrics(Namespace="AWS/EC2")["Metrics"]
    expect(sorted(each["MetricName"] for each in found),
           ["CPUUtilization", "StatusCheckFailed", "StatusCheckFailed_Instance",
            "StatusCheckFailed_System"], "EC2's metrics")
    now = world.served.get("clock")["now"]
    result = world.cloudwatch.get_metric_data(
        StartTime=datetime.fromisoformat(now[:19]) - timedelta(hours=1), EndTime=now,
        MetricDataQueries=[{"Id": "cpu", "MetricStat": {
            "Metric": {"Namespace": "AWS/EC2", "MetricName": "CPUUtilization", "Dimensions": [
                {"Name": "InstanceId", "Value": world.instance}]}, "Period": 300,
            "Stat": "Maximum"}}])["MetricDataResults"][0]
    expect(set(result["Values"]), {0.5}, "the instance's use of its CPUs")
    world.cloudwatch.set_alarm_state(AlarmName="net", StateValue="ALARM", StateReason="a drill")
    world.served.control("clock", {"by": "3m"})
    expect(world.state(), "terminated", "the instance after the drill")


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--speed", "manual") as it:
    whole = World(it)
    check_idle(whole)
    check_own_metrics(whole)
