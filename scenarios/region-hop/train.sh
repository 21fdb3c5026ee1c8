#!/bin/bash
until [ -e /dev/xvdf ]; do sleep 1; done
blkid /dev/xvdf || mkfs -t ext4 -q /dev/xvdf
mkdir -p /data && mount /dev/xvdf /data

save() {
  echo "$1" >/data/new && sync && mv /data/new /data/step && sync && echo "Saved /data/step at step $1"
}

step=$(cat /data/step 2>/dev/null || echo 0)
echo "Resuming from step $step"
while [ "$step" -lt 24 ]; do
  for second in {1..12}; do
    sleep 5                                # a twelfth of your step
    if curl -sf http://169.254.169.254/latest/meta-data/spot/instance-action >/dev/null; then
      save "$step"
      umount /data
      sleep 600                            # the instance ends before
    fi
  done
  step=$((step + 1))
  echo "step $step/24"
  [ $((step % 4)) -ne 0 ] || save "$step"
done
umount /data
poweroff
