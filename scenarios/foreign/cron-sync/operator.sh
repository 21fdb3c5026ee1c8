#!/bin/bash
# Creates a volume for all instances and a fleet of one instance, which replaces an interrupted one.
set -euo pipefail
aws ec2 create-volume --availability-zone us-west-2b --size 10 --volume-type gp2 \
  --tag-specifications "ResourceType=volume,Tags=[{Key=Name,Value=checkpoints}]" \
  --query VolumeId --output text

request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.yaml)|" fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
