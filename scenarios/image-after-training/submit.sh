#!/bin/bash
# Trains on one instance, and uses the weights on an instance of its image.
set -euo pipefail
launch() {  # IMAGE TYPE USER_DATA OPTIONS…
  aws ec2 run-instances --image-id "$1" --instance-type "$2" --user-data "file://$3" \
    --instance-initiated-shutdown-behavior terminate --query 'Instances[0].InstanceId' \
    --output text "${@:4}"
}

trainer=$(launch ami-0a63f3f0c7e4b2d15 p3.2xlarge train.sh \
  --placement AvailabilityZone=us-west-2b --instance-market-options MarketType=spot)
sleep 4m
until [[ $(aws ec2 get-console-output --instance-id "$trainer" --query Output --output text) \
  == *trained* ]]; do
  sleep 30
done

image=$(aws ec2 create-image --instance-id "$trainer" --name "trained-$(date +%F)" --no-reboot \
  --query ImageId --output text)
aws ec2 wait image-available --image-ids "$image"
aws ec2 terminate-instances --instance-ids "$trainer"

user=$(launch "$image" m4.xlarge use.sh)
aws ec2 wait instance-running --instance-ids "$user"
aws ec2 wait instance-terminated --instance-ids "$user"
printed=$(aws ec2 get-console-output --instance-id "$user" --query Output --output text)
[[ $printed == *'the weights after step 3'* ]]

snapshot=$(aws ec2 describe-images --image-ids "$image" --output text \
  --query 'Images[0].BlockDeviceMappings[0].Ebs.SnapshotId')
aws ec2 deregister-image --image-id "$image"
aws ec2 delete-snapshot --snapshot-id "$snapshot"
