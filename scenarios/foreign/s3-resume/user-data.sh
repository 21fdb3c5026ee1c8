#!/bin/bash
export AWS_DEFAULT_REGION=us-west-2
bucket=s3://training-123456789012
metadata=http://169.254.169.254/latest
mkdir -p /opt/train/checkpoints && cd /opt/train

get_token() { curl -s -X PUT "$metadata/api/token" -H 'X-aws-ec2-metadata-token-ttl-seconds: 21600'; }

# https://aws.amazon.com/blogs/compute/best-practices-for-handling-ec2-spot-instance-interruptions/
wait_for_notice() {
  token=$(get_token)
  while sleep 5; do
    code=$(curl -s -o /dev/null -w '%{http_code}' -H "X-aws-ec2-metadata-token: $token" \
      "$metadata/meta-data/spot/instance-action")
    if [ "$code" = 401 ]; then
      token=$(get_token)
    elif [ "$code" = 200 ]; then
      kill -TERM "$1"
      return
    fi
  done
}

until aws s3 cp $bucket/code/train.py train.py --only-show-errors; do sleep 5; done
aws s3 sync $bucket/checkpoints checkpoints --only-show-errors   # what earlier instances saved

python3 train.py &
trainer=$!
wait_for_notice $trainer &
while sleep 120; do aws s3 sync checkpoints $bucket/checkpoints --only-show-errors; done &
wait $trainer
status=$?
kill %2 %3
until aws s3 sync checkpoints $bucket/checkpoints --only-show-errors; do sleep 5; done
[ $status = 0 ] || exit                # interrupted: the fleet replaces this instance

token=$(get_token)
instance=$(curl -s -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/instance-id")
fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --terminate-instances
