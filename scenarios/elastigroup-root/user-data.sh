#!/bin/bash
# Everything is on the root disk, which the next instance of the group boots with. User data runs once on each of them.
# When training has finished, the instance copies the result to a bucket and deletes the group.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)
echo "$instance" >>/root/instances

if [[ ! -e /training/datasets ]]; then
  mkdir -p /training
  spottrain synthesize --train 2048 --test 512 /training/.datasets
  mv /training/.datasets /training/datasets
  git clone -q https://github.com/example/cifar10-training.git /root/cifar10
fi

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

# The group's root goes with the group, so the trained state goes to a bucket first.
newest=$(ls "$CHECKPOINT_DIR"/*.safetensors | tail -n 1)
aws s3 cp --only-show-errors "$newest" s3://results-us-west-2-123456789012/ || exit
echo "trained on $(paste -sd ' ' /root/instances)"
group=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=spotinst:aws:ec2:group:id)
curl --silent --request DELETE --header 'Authorization: Bearer 0123456789abcdef' \
  --header 'Content-Type: application/json' \
  --data '{"statefulDeallocation": {"shouldDeleteImages": true, "shouldDeleteVolumes": true, "shouldDeleteSnapshots": true}}' \
  "https://api.spotinst.io/aws/ec2/group/$group?accountId=act-12345678"
