#!/bin/bash
# Trains on one spot instance after the other. Where a region has no capacity, the job's volume goes
# to the next region as a snapshot.
set -euo pipefail
tags='ResourceType=volume,Tags=[{Key=Name,Value=training-data}]'

ask() { aws ec2 "$1" --region "$region" --output text "${@:2}"; }

go_to() { # ZONE [SNAPSHOT]: the job's volume is there from now on
  zone=$1 region=${1%?}
  volume=$(ask create-volume --availability-zone "$zone" --size 50 --volume-type gp2 \
    --tag-specifications "$tags" ${2:+--snapshot-id "$2"} --query VolumeId)
  aws ec2 wait volume-available --region "$region" --volume-ids "$volume"
}

move_to() { # ZONE
  local old=$region snapshot copy
  snapshot=$(ask create-snapshot --volume-id "$volume" --query SnapshotId)
  aws ec2 wait snapshot-completed --region "$old" --snapshot-ids "$snapshot"
  region=${1%?}
  copy=$(ask copy-snapshot --source-region "$old" --source-snapshot-id "$snapshot" --query SnapshotId)
  aws ec2 wait snapshot-completed --region "$region" --snapshot-ids "$copy"
  aws ec2 delete-volume --region "$old" --volume-id "$volume"
  aws ec2 delete-snapshot --region "$old" --snapshot-id "$snapshot"
  go_to "$1" "$copy"
  aws ec2 delete-snapshot --region "$region" --snapshot-id "$copy"
}

launch() {
  instance=$(ask run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge \
    --instance-market-options MarketType=spot --placement "AvailabilityZone=$zone" \
    --instance-initiated-shutdown-behavior terminate --user-data file://train.sh \
    --query 'Instances[0].InstanceId')
}

train() { # until the instance ends; true if the training is done
  aws ec2 wait instance-running --region "$region" --instance-ids "$instance"
  ask attach-volume --volume-id "$volume" --instance-id "$instance" --device /dev/sdf >/dev/null
  until [ "$(ask describe-instances --instance-ids "$instance" \
    --query 'Reservations[0].Instances[0].State.Name')" = terminated ]; do
    sleep 30
  done
  [ "$(ask describe-instances --instance-ids "$instance" \
    --query 'Reservations[0].Instances[0].StateReason.Code')" = Client.InstanceInitiatedShutdown ]
}

go_to us-west-2b
for next in us-east-1a ''; do
  while launch; do
    if train; then exit; fi
  done
  [ -z "$next" ] || move_to "$next"
done
exit 1
