#!/bin/bash
export AWS_DEFAULT_REGION=us-west-2
bucket=s3://own-script-123456789012
mkdir -p /ckpt && cd /ckpt

aws s3 cp $bucket/step step --only-show-errors   # what earlier instances saved
step=$(cat step || echo 0)
echo "Resuming from step $step"
while [ "$step" -lt 60 ]; do
  sleep 120                              # your training of a step
  step=$((step + 1))
  echo "step $step/60"
  if [ $((step % EVERY)) -eq 0 ] || [ "$step" -eq 60 ]; then
    sleep 15                             # your checkpoint takes this long
    echo "$step" >step
    aws s3 cp step $bucket/step --only-show-errors && echo "Saved $bucket/step at step $step"
  fi
done

instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)
fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --terminate-instances
