#!/bin/bash
export AWS_DEFAULT_REGION=us-west-2
bucket=s3://relaunch-123456789012
mkdir -p /ckpt && cd /ckpt
until aws s3 sync $bucket /ckpt --only-show-errors; do sleep 5; done

save() {
  echo "weights after step $1" >new && mv new latest.pt && echo "$1" >step.new && mv step.new step
  aws s3 cp latest.pt $bucket/latest.pt --only-show-errors &&
    aws s3 cp step $bucket/step --only-show-errors && echo "Saved /ckpt/latest.pt at step $1"
}

step=$(cat step 2>/dev/null || echo 0)
echo "Resuming from step $step"
while [ "$step" -lt 16 ]; do
  for second in {1..12}; do
    sleep 5                                # a twelfth of your step
    if curl -sf http://169.254.169.254/latest/meta-data/spot/instance-action >/dev/null; then
      save "$step"
      sleep 600                            # the instance ends before
    fi
  done
  step=$((step + 1))
  echo "step $step/16"
  [ $((step % 4)) -ne 0 ] || save "$step"
done
until echo done | aws s3 cp - $bucket/done; do sleep 5; done
poweroff
