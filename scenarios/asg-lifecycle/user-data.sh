#!/bin/bash
# Trains from the newest checkpoint in the bucket. When Auto Scaling is about to end the instance, the trainer
# saves, and then the lifecycle action is completed. When training is finished the group is deleted.
set -uo pipefail
export AWS_DEFAULT_REGION=us-west-2
bucket=training-us-west-2-123456789012
metadata=http://169.254.169.254/latest/meta-data
instance=$(curl -s $metadata/instance-id)

aws s3 cp --recursive --only-show-errors s3://$bucket/shapes /root/shapes
spottrain train --data /root/shapes --checkpoints s3://$bucket/job --epochs 10 --imds \
  --emulate-step-time 4.5s &
trainer=$!

while kill -0 $trainer 2>/dev/null; do
  if [ "$(curl -s $metadata/autoscaling/target-lifecycle-state)" = Terminated ]; then
    kill -TERM $trainer
    wait $trainer
    aws autoscaling complete-lifecycle-action --auto-scaling-group-name training \
      --lifecycle-hook-name save --lifecycle-action-result CONTINUE --instance-id "$instance"
    exit
  fi
  sleep 5
done
wait $trainer
[ $? = 75 ] && exit                      # stopped by a notice: the next instance goes on

aws autoscaling delete-auto-scaling-group --auto-scaling-group-name training --force-delete
