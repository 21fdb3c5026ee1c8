#!/bin/bash
# What every instance of the fleet does at boot: fetch the data, train from the newest checkpoint in the
# bucket, and when training is finished end the fleet and itself.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
bucket=training-us-west-2-123456789012
instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)

aws s3 cp --recursive --only-show-errors s3://$bucket/shapes /root/shapes
# --imds: two minutes before the end it saves, stops and exits with 75.
spottrain train --data /root/shapes --checkpoints s3://$bucket/job --epochs 10 --imds \
  --emulate-step-time 4.5s
[ $? = 75 ] && exit                      # stopped: the next instance goes on

# Finished, or failed: either ends the fleet, so that no instance is left that does nothing.
fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --no-terminate-instances
aws ec2 terminate-instances --instance-ids "$instance"
