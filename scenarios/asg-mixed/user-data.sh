#!/bin/bash
# What each instance of the group does at boot: fetch the data and train from the newest checkpoint in the
# bucket. When training is finished it deletes the group, which would otherwise train again for ever.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
bucket=training-us-west-2-123456789012

aws s3 cp --recursive --only-show-errors s3://$bucket/shapes /root/shapes
spottrain train --data /root/shapes --checkpoints s3://$bucket/job --epochs 10 --imds \
  --emulate-step-time 4.5s
[ $? = 75 ] && exit                      # stopped: the next instance goes on

aws autoscaling delete-auto-scaling-group --auto-scaling-group-name training --force-delete
