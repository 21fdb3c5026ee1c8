#!/bin/bash
export AWS_DEFAULT_REGION=us-west-2
bucket=s3://spot-checkpoints/run-1
mkdir -p /ckpt && cd /ckpt

sync_up() { aws s3 sync /ckpt "$bucket" --only-show-errors --exclude '*.tmp'; }

train() {
  newest=$(ls | grep '\.pt$' | tail -n 1)
  step=0
  [ -z "$newest" ] || step=$((10#${newest//[!0-9]/}))
  while [ $step -lt 40 ]; do
    sleep 60                               # your training of a step
    step=$((step + 1))
    printf 'weights of step %d\n' $step >new.tmp && mv new.tmp "$(printf 'step-%04d.pt' $step)"
    echo "step $step/40"
  done
}

aws s3 sync "$bucket" /ckpt --only-show-errors   # what earlier instances saved
while sleep 600; do sync_up; done &
train
kill $!
sync_up                                    # the last steps, before all is taken down

instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)
fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --no-terminate-instances
poweroff
