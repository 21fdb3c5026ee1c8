#!/bin/bash
set -euo pipefail
bucket=relaunch-123456789012
aws s3 mb s3://$bucket
until aws s3 ls s3://$bucket/done >/dev/null; do
  instance=$(aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge \
    --instance-market-options MarketType=spot --iam-instance-profile Name=spot-training \
    --instance-initiated-shutdown-behavior terminate --user-data file://train.sh \
    --query 'Instances[0].InstanceId' --output text)
  echo "launched $instance"
  state=pending
  while [ "$state" != terminated ]; do
    sleep 60
    state=$(aws ec2 describe-instances --instance-ids "$instance" \
      --query 'Reservations[0].Instances[0].State.Name' --output text)
  done
done
