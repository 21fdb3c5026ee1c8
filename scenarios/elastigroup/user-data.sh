#!/bin/bash
# Each instance of the group trains on the group's data volume and goes on from its newest checkpoint. When training
# has finished, the instance deletes the group.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)

# With reattach the group attaches the volume after the instance is launched.
until [[ -e /dev/xvdf ]]; do sleep 5; done
blkid /dev/xvdf || mkfs.xfs -q /dev/xvdf
mkdir -p /training
mount /dev/xvdf /training || exit 1
if [[ ! -e /training/datasets ]]; then
  spottrain synthesize --train 2048 --test 512 /training/.datasets
  mv /training/.datasets /training/datasets
fi

git clone -q https://github.com/example/cifar10-training.git /root/cifar10
cd /root/cifar10 || exit 1
export DATA_DIR=/training/datasets CHECKPOINT_DIR=/training/checkpoints EMULATE_STEP_TIME=4.5s
./train.sh --epochs 10 &
trainer=$!

# The metadata service answers 404 until the two minutes' notice; then training saves and stops.
until ! kill -0 "$trainer" 2>/dev/null; do
  if curl -s http://169.254.169.254/latest/meta-data/spot/instance-action | grep -q '"terminate"'; then
    kill -TERM "$trainer"
    break
  fi
  sleep 5
done
wait "$trainer" || exit

umount /training
group=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=spotinst:aws:ec2:group:id)
curl --silent --request DELETE --header 'Authorization: Bearer 0123456789abcdef' \
  --header 'Content-Type: application/json' \
  --data '{"statefulDeallocation": {"shouldDeleteSnapshots": true}}' \
  "https://api.spotinst.io/aws/ec2/group/$group?accountId=act-12345678"
