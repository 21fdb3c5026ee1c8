#!/bin/bash
# What a person types: a volume for the checkpoints, the newest image of the name, and a spot fleet of one.
set -euo pipefail
volume=$(aws ec2 create-volume --availability-zone us-west-2b --size 10 --volume-type gp2 \
  --tag-specifications 'ResourceType=volume,Tags=[{Key=Name,Value=keras-checkpoints}]' \
  --query VolumeId --output text)
aws ec2 wait volume-available --volume-ids "$volume"

image=$(aws ec2 describe-images --owners amazon \
  --filters 'Name=name,Values=Deep Learning AMI (Ubuntu)*' Name=state,Values=available \
  --query 'sort_by(Images, &CreationDate)[-1].ImageId' --output text)
echo "training on $image, checkpoints on $volume"

request=$(mktemp)
sed "s|IMAGE|$image|; s|USER_DATA|$(base64 -w0 user-data.sh)|" spot-fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
