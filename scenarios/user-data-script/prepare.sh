#!/bin/bash
# Fills the job's volume with a file system and the data set, then ends its own instance.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)
volume=$(aws ec2 describe-volumes --filters Name=tag:Name,Values=DL-datasets-checkpoints \
  --query 'Volumes[0].VolumeId' --output text)

aws ec2 wait volume-available --volume-ids "$volume"
aws ec2 attach-volume --volume-id "$volume" --instance-id "$instance" --device /dev/sdf
aws ec2 wait volume-in-use --volume-ids "$volume"
sleep 10
mkfs.xfs -q /dev/xvdf
mkdir -p /dltraining
mount /dev/xvdf /dltraining
mkdir -p /dltraining/datasets /dltraining/checkpoints
spottrain synthesize /dltraining/datasets --train 2048 --test 512
umount /dltraining
aws ec2 terminate-instances --instance-ids "$instance"
