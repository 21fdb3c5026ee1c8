#!/bin/bash
# A volume for the data, and a fleet of one instance in its zone.
set -euo pipefail
volume=$(aws ec2 create-volume --availability-zone us-west-2b --size 50 --volume-type gp2 \
  --tag-specifications 'ResourceType=volume,Tags=[{Key=Name,Value=training-data}]' \
  --query VolumeId --output text)
aws ec2 wait volume-available --volume-ids "$volume"
request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.sh)|" fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
