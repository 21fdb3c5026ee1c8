"""Makes the training job of gang.json, waits for its end and shows what it left, by boto3."""
import collections
import json
import sys

import boto3

BUCKET = "sagemaker-us-west-2-123456789012"
s3, logs, sagemaker = (boto3.client(name) for name in ("s3", "logs", "sagemaker"))
s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
with open("gang.json") as file:
    sagemaker.create_training_job(TrainingJobName="gang", **json.load(file))
sagemaker.get_waiter("training_job_completed_or_stopped").wait(TrainingJobName="gang")

job = sagemaker.describe_training_job(TrainingJobName="gang")
for step in job["SecondaryStatusTransitions"]:
    print(step["StartTime"].strftime("%H:%M:%S"), step["Status"], "-", step["StatusMessage"])
print("Training seconds:", job["TrainingTimeInSeconds"],
      "Billable seconds:", job["BillableTimeInSeconds"])
said = collections.Counter()
pages = logs.get_paginator("filter_log_events").paginate(logGroupName="/aws/sagemaker/TrainingJobs")
for event in (event for page in pages for event in page["events"]):
    said[event["message"]] += 1
print(*sorted(said), sep="\n")
bucket, _, key = job["ModelArtifacts"]["S3ModelArtifacts"].removeprefix("s3://").partition("/")
s3.download_file(bucket, key, "/tmp/model.tar.gz")
# Both hosts began again with the checkpoint of one step.
begun = [line.split()[4] for line in said if "begins" in line and " 0 " not in line]
sys.exit(0 if len(begun) == 2 and len(set(begun)) == 1 else f"they began again at {begun}")
