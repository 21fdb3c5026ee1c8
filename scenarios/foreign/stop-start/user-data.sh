#!/bin/bash
set -euo pipefail
# Without this file, cloud-init runs the script again when the instance starts again.
rm -f /var/lib/cloud/instance/sem/config_scripts_user
bucket=s3://stop-start-123456789012
mkdir -p /ckpt && cd /ckpt

# The root disk keeps the steps that were trained before a stop. The bucket keeps them for longer.
step=$(find . -name 'step-*' | wc -l)
echo "Resuming from step $step"
while [ "$step" -lt 4 ]; do
  sleep 60                               # your training of a step
  step=$((step + 1))
  echo "step $step/4"
  echo "weights after step $step" >"step-$step"
  sync "step-$step"
  aws s3 cp "step-$step" "$bucket/step-$step" --only-show-errors
  echo "Saved $bucket/step-$step at step $step"
done
poweroff
