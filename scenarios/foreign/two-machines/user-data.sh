#!/bin/bash
# What both machines do at boot: take the zone's volume, which says the rank, and train.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
metadata() { curl -s "http://169.254.169.254/latest/meta-data/$1"; }
instance=$(metadata instance-id)
zone=$(metadata placement/availability-zone)
mine=(--filters Name=tag:Name,Values=gang "Name=availability-zone,Values=$zone" --output text)
volume=$(aws ec2 describe-volumes "${mine[@]}" --query 'Volumes[0].VolumeId')
rank=$(aws ec2 describe-volumes "${mine[@]}" --query "Volumes[0].Tags[?Key=='Rank'].Value | [0]")

aws ec2 wait volume-available --volume-ids "$volume"  # a predecessor may have it still
aws ec2 attach-volume --volume-id "$volume" --instance-id "$instance" --device /dev/sdf
until [[ -e /dev/xvdf ]]; do sleep 1; done
blkid /dev/xvdf || mkfs.ext4 -q /dev/xvdf
mkdir -p /data
mount /dev/xvdf /data

git clone -q https://github.com/example/two-machines.git /root/job
sum=$(python3 /root/job/train.py --rank "$rank" --folder /data) || exit 1
aws ec2 create-tags --resources "$volume" --tags "Key=Sum,Value=$sum"
umount /data
fleet=$(aws ec2 describe-tags --output text --query 'Tags[0].Value' \
  --filters "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --terminate-instances
