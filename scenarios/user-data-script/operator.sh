#!/bin/bash
# The operator's side with aws-cli alone: one volume that bears the job's name, filled once by an on-demand
# instance, and a spot fleet whose instances start with user-data.sh.
set -euo pipefail
name=DL-datasets-checkpoints

volume=$(aws ec2 create-volume --availability-zone us-west-2b --size 100 --volume-type gp2 \
  --tag-specifications "ResourceType=volume,Tags=[{Key=Name,Value=$name}]" \
  --query VolumeId --output text)
instance=$(aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type m4.xlarge \
  --placement AvailabilityZone=us-west-2b --iam-instance-profile Name=spot-training \
  --user-data file://prepare.sh --instance-initiated-shutdown-behavior terminate --query 'Instances[0].InstanceId' --output text)
echo "preparing $volume on $instance"
aws ec2 wait instance-running --instance-ids "$instance"
aws ec2 wait instance-terminated --instance-ids "$instance"
aws ec2 wait volume-available --volume-ids "$volume"

request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.sh)|" spot-fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
