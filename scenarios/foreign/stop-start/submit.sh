#!/bin/bash
# Stops the instance for the ten minutes in which it is not needed.
set -euo pipefail
aws s3 mb s3://stop-start-123456789012
instance=$(aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge \
  --iam-instance-profile Name=spot-training --user-data file://user-data.sh \
  --instance-initiated-shutdown-behavior terminate --query 'Instances[0].InstanceId' --output text)
sleep 4m
aws ec2 stop-instances --instance-ids "$instance"
aws ec2 wait instance-stopped --instance-ids "$instance"
sleep 10m
aws ec2 start-instances --instance-ids "$instance"
