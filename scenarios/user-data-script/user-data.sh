#!/bin/bash
# What every instance of the fleet does at boot: find the job's volume, bring it into this zone, train,
# and when training is finished end the fleet and itself.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
name=DL-datasets-checkpoints
metadata() { curl -s "http://169.254.169.254/latest/meta-data/$1"; }
volume_property() {
  aws ec2 describe-volumes --filters "Name=tag:Name,Values=$name" \
    --query "Volumes[0].$1" --output text
}

instance=$(metadata instance-id)
zone=$(metadata placement/availability-zone)
volume=$(volume_property VolumeId)

# A volume lives in one zone. From another one it is reached by a snapshot and a new volume made of it.
if [[ $(volume_property AvailabilityZone) != "$zone" ]]; then
  aws ec2 wait volume-available --volume-ids "$volume"
  snapshot=$(aws ec2 create-snapshot --volume-id "$volume" --description "hop to $zone" \
    --query SnapshotId --output text)
  aws ec2 wait snapshot-completed --snapshot-ids "$snapshot"
  hopped=$(aws ec2 create-volume --availability-zone "$zone" --snapshot-id "$snapshot" \
    --volume-type gp2 --tag-specifications "ResourceType=volume,Tags=[{Key=Name,Value=$name}]" \
    --query VolumeId --output text)
  aws ec2 wait volume-available --volume-ids "$hopped"
  aws ec2 delete-volume --volume-id "$volume"
  aws ec2 delete-snapshot --snapshot-id "$snapshot"
  volume=$hopped
fi

aws ec2 attach-volume --volume-id "$volume" --instance-id "$instance" --device /dev/sdf
sleep 10
mkdir -p /dltraining
mount /dev/xvdf /dltraining

git clone -q https://github.com/example/cifar10-training.git /root/cifar10
cd /root/cifar10 || exit 1
export DATA_DIR=/dltraining/datasets CHECKPOINT_DIR=/dltraining/checkpoints EMULATE_STEP_TIME=4.5s
./train.sh &
trainer=$!

# The metadata service answers 404 until the two minutes' notice; then training saves and stops.
until ! kill -0 "$trainer" 2>/dev/null; do
  if metadata spot/instance-action | grep -q '"terminate"'; then
    kill -TERM "$trainer"
    break
  fi
  sleep 5
done
wait "$trainer" || exit

fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --no-terminate-instances
umount /dltraining
aws ec2 terminate-instances --instance-ids "$instance"
