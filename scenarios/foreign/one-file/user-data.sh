#!/bin/bash
export AWS_DEFAULT_REGION=us-west-2
instance=$(curl -sf http://169.254.169.254/latest/meta-data/instance-id)

volume=None
while [ "$volume" = None ] || [ -z "$volume" ]; do
  volume=$(aws ec2 describe-volumes --filters Name=tag:Name,Values=training-data \
    --query 'Volumes[0].VolumeId' --output text)
  sleep 5
done
# The earlier instance may still have it.
until aws ec2 attach-volume --volume-id "$volume" --instance-id "$instance" --device /dev/xvdf; do
  sleep 10
done
until [ -e /dev/xvdf ]; do sleep 1; done
blkid /dev/xvdf || mkfs -t ext4 -q /dev/xvdf
mkdir -p /data && mount /dev/xvdf /data

until [ -d code ]; do git clone -q https://github.com/example/one-file.git code || sleep 10; done
python3 code/train.py &
trainer=$!
while sleep 5; do
  curl -sf http://169.254.169.254/latest/meta-data/spot/instance-action >/dev/null && kill -TERM $trainer
done &
wait $trainer || { sync; umount /data; exit 1; }
sync

fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
until aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --terminate-instances; do
  sleep 5
done
