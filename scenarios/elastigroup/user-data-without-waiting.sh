#!/bin/bash
# user-data.sh with one bug: it sleeps for ten seconds in place of waiting for the volume, and does not look whether
# the mount has worked.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)

sleep 10
[[ ! -e /dev/xvdf ]] || blkid /dev/xvdf || mkfs.xfs -q /dev/xvdf
mkdir -p /training
mount /dev/xvdf /training
if [[ ! -e /training/datasets ]]; then
  spottrain synthesize --train 2048 --test 512 /training/.datasets
  mv /training/.datasets /training/datasets
fi

git clone -q https://github.com/example/cifar10-training.git /root/cifar10
cd /root/cifar10 || exit 1
export DATA_DIR=/training/datasets CHECKPOINT_DIR=/training/checkpoints EMULATE_STEP_TIME=4.5s
./train.sh --epochs 10 &
trainer=$!

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
